import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../formats/csv.ts'
import { normalizeArea, residencyOfRegion } from './residency.ts'

describe('the area of a region', () => {
  test.each([
    ['eu-north1', 'eu'],
    ['europe-west4', 'eu'],
    ['europe-west2', 'uk'],
    ['europe-west6', 'ch'],
    ['eu-west-2', 'uk'],
    ['ap-northeast-1', 'jp'],
    ['asia-northeast3', 'kr'],
    ['me-central1', 'qa'],
    ['me-central-1', 'ae'],
    ['eastus2', 'us'],
    ['East Coast (NY2)', 'us'],
  ])('is looked up for points of the compass: %s', (region, area) => {
    expect(residencyOfRegion(region)).toBe(area)
  })

  test.each([
    ['US', 'us'],
    [' DE ', 'eu'],
    ['GB', 'uk'],
    ['NO', 'eu'],
    ['AR', 'ar'],
    ['eu', 'eu'],
    ['Denmark, DK, EU', 'eu'],
    [', CA, NA', 'ca'],
    ['Sverdlovsk Oblast, RU, EU', 'ru'],
    ['Switzerland, CH, EU', 'ch'],
    ['Georgia, US, NA', 'us'],
    ['x,de,eu', 'eu'],
    ['Accra, NG, AF', 'ng'],
    ['Perth, AU, OC', 'au'],
    ['Lima, PE, SA', 'pe'],
    ['Taiwan, TW, AS', 'tw'],
  ])('is the country of an address: %s', (region, area) => {
    expect(residencyOfRegion(region)).toBe(area)
  })

  test.each([
    ['AMS', 'eu'],
    ['SYD2', 'au'],
    ['FIN-01', 'eu'],
    ['nyc3', 'us'],
    ['tor1', 'ca'],
    ['LON', 'uk'],
    ['TYO4', 'jp'],
  ])('is that of a site code: %s', (region, area) => {
    expect(residencyOfRegion(region)).toBe(area)
  })

  test.each([
    ['us-anything-9', 'us'],
    ['uk-south1', 'uk'],
    ['ch-lug1', 'ch'],
    ['bg-sof1', 'eu'],
    ['CANADA-1', 'ca'],
    ['paris-france-5', 'eu'],
    ['KOREA_WEST-1-SWN-FIN-B001', 'kr'],
    ['eu-zurich-1', 'ch'],
    ['me-jeddah-1', 'sa'],
    ['sa-bogota-1', 'co'],
    ['no-kristiansand-1', 'eu'],
    ['  singapore-singapore-1 ', 'sg'],
  ])('is what the words of the name agree on: %s', (region, area) => {
    expect(residencyOfRegion(region)).toBe(area)
  })

  test.each([
    '',
    'default',
    'zz',
    'sa',
    'me',
    'na',
    'eu-west',
    'eu-somewhere-1',
    'ap-east-2',
    'us-paris-1',
    'no-region',
    'north-us',
    'xyz1',
    'ams-3b',
    'x, ZZ, EU',
    'x, DE, European',
    'fooams1',
  ])('is not guessed: %j', (region) => {
    expect(residencyOfRegion(region)).toBeUndefined()
  })
})

test('an area has one spelling', () => {
  expect(normalizeArea(' EU ')).toBe('eu')
  expect(normalizeArea('GB')).toBe('uk')
  expect(normalizeArea('uk')).toBe('uk')
})

const CATALOG = join(process.env['BERTH_DATA'] ?? join(import.meta.dirname, '../../../../shared/data'), 'catalog')

describe.skipIf(!existsSync(CATALOG))('the catalogues', () => {
  test('name hardly a region that is not known, and those few are known by name', () => {
    const pairs = new Set<string>()
    for (const provider of readdirSync(CATALOG)) {
      const table = readCsv(readFileSync(join(CATALOG, provider, 'vms.csv'), 'utf8'))
      const column = table.header.indexOf('Region')
      for (const row of table.rows()) pairs.add(`${provider}: ${row.fields[column]}`)
    }
    const silent = [...pairs].filter((pair) => residencyOfRegion(pair.slice(pair.indexOf(': ') + 2)) === undefined)
    expect(pairs.size).toBe(295)
    expect(silent).toEqual(['hyperbolic: default', 'seeweb: ', 'yotta: ap-east-2'])
  })
})
