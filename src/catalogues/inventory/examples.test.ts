import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applySettings } from '../../core/policy/labels.ts'
import { parseConfig } from '../../core/policy/parse.ts'
import type { Config } from '../../core/policy/policy.ts'
import { DEFAULT_POLICY, OBJECTIVES } from '../../core/policy/policy.ts'
import { FILTER_NAMES } from '../../core/requirement/filter/all-filters.ts'
import type { Offer } from '../../core/offer/offer.ts'
import { SCORE_NAMES } from '../../core/requirement/score/all-scores.ts'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { InventoryFile } from './inventory.ts'
import { offerSchema } from './schema.ts'
import { accepted, read } from './inventory.suite.ts'
import { readInventoryCsv } from './inventory.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PLATFORM = join(ROOT, 'examples/platform')
const NAMES = { scores: SCORE_NAMES, filters: FILTER_NAMES }

function configOf(text: string): Config {
  const yaml = readYaml(text, 'berth.config.yaml')
  if ('problems' in yaml) throw new Error(JSON.stringify(yaml.problems))
  const config = parseConfig(yaml.document, NAMES)
  if ('problems' in config) throw new Error(JSON.stringify(config.problems))
  return config.value
}

function inventoryAt(file: string): InventoryFile {
  const text = readFileSync(join(PLATFORM, file), 'utf8')
  return accepted(file.endsWith('.csv') ? readInventoryCsv(text, file) : read(text))
}

/** The blocks of one language in a page of the documentation. */
function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '')
}

describe('the imaginary platform', () => {
  const config = configOf(readFileSync(join(PLATFORM, 'berth.config.yaml'), 'utf8'))
  const offers = config.providers.map((settings): readonly [string, readonly Offer[]] => {
    const rows = settings.offers.flatMap((file) => inventoryAt(file).rows)
    return [settings.name, rows.map((row) => applySettings(row.offer, settings))]
  })

  test('has two clusters and three clouds, and every offer of theirs is believed', () => {
    expect(offers.map(([name, list]) => [name, list.length])).toEqual([
      ['harbor-a', 15],
      ['harbor-b', 12],
      ['northwind', 18],
      ['tidewater', 20],
      ['palmgrid', 15],
    ])
    expect(offers.flatMap(([, list]) => list.filter((offer) => offer.quarantine !== undefined))).toEqual([])
  })

  test('keeps each provider in a file of its own', () => {
    for (const [name, list] of offers) expect(new Set(list.map((offer) => offer.provider))).toEqual(new Set([name]))
  })

  test('labels every offer', () => {
    const bare = offers.flatMap(([, list]) =>
      list.filter((offer) => offer.residency === undefined || offer.trust === undefined),
    )
    expect(bare).toEqual([])
  })

  test('names every offer once', () => {
    const ids = offers.flatMap(([, list]) => list.map((offer) => offer.id))
    expect(new Set(ids).size).toBe(80)
  })

  test('owns clusters and rents clouds', () => {
    for (const [name, list] of offers) {
      const capacity = name.startsWith('harbor') ? 'owned' : 'rented'
      expect(new Set(list.map((offer) => offer.capacity))).toEqual(new Set([capacity]))
    }
  })

  test('has policies for what is called, tried out, protected and waited for', () => {
    const names = config.policies.map((policy) => policy.name)
    expect(names).toEqual(expect.arrayContaining(['production', 'research', 'eu-only', 'notebooks']))
    expect(config.defaultPolicy).toBe('production')
  })

  test('remembers refusals', () => {
    expect(inventoryAt('northwind.yaml').refusals.map((refusal) => refusal.why)).toEqual(['sold-out', 'fault'])
    expect(inventoryAt('tidewater.json').refusals.map((refusal) => refusal.why)).toEqual(['quota'])
  })
})

describe('the documentation', () => {
  test('shows inventories that are read without a complaint', () => {
    const [yaml = ''] = blocksOf('inventory.md', 'yaml')
    const [csv = ''] = blocksOf('inventory.md', 'csv')
    expect(accepted(read(yaml)).rows.map((row) => [row.offer.id, row.note])).toEqual([
      ['northwind/north-1/nw-h100-4', undefined],
      ['harbor/hamburg/node-7', undefined],
    ])
    expect(accepted(readInventoryCsv(csv, 'table.csv')).rows.map((row) => [row.offer.id, row.note])).toEqual([
      ['palmgrid/Singapore/rtx4090-1', undefined],
      ['palmgrid/Oregon/rtx3090-4', undefined],
    ])
  })

  test('shows an infrastructure file that is read without a complaint', () => {
    const [yaml = ''] = blocksOf('config.md', 'yaml')
    expect(configOf(yaml).policies.map((policy) => policy.name)).toEqual(['production'])
  })

  test('lists the objectives as they are', () => {
    const page = readFileSync(join(ROOT, 'docs/config.md'), 'utf8')
    const scores = ['price', 'start', 'stock', 'reliability', 'surplus', 'egress']
    for (const [objective, weights] of Object.entries(OBJECTIVES)) {
      expect(page).toContain(
        `| \`${objective}\` | ${scores.map((score) => weights[score] ?? '').join(' | ')} |`.replaceAll('  ', ' '),
      )
    }
  })

  test('lists the unknowns that are accepted by default, all of them real', () => {
    const page = readFileSync(join(ROOT, 'docs/config.md'), 'utf8')
    expect(page).toContain(`\`${DEFAULT_POLICY.unknownAccepted.join(', ')}\``)
    expect(FILTER_NAMES).toEqual(expect.arrayContaining([...DEFAULT_POLICY.unknownAccepted]))
  })

  test('weighs only scores that exist', () => {
    for (const weights of Object.values(OBJECTIVES))
      expect(SCORE_NAMES).toEqual(expect.arrayContaining(Object.keys(weights)))
  })

  test('has a line for every key of an offer and every column', () => {
    const page = readFileSync(join(ROOT, 'docs/inventory.md'), 'utf8')
    const keys = Object.keys(offerSchema.shape).filter((key) => key !== 'gpu')
    const parts = ['model', 'count', 'slice', 'link'].map((part) => `gpu.${part}`)
    for (const key of [...keys, ...parts]) expect(page).toContain(`\`${key}\``)
  })
})
