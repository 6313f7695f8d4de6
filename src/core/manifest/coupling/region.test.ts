import { describe, expect, test } from 'vitest'
import { areasOf, residencyOf } from './region.ts'

describe('residencyOf', () => {
  test.each([
    ['eu-west-1', 'eu'],
    ['eu-west-2', 'uk'],
    ['us-east-1a', 'us'],
    ['eu-west-1b', 'eu'],
    ['europe-west4', 'eu'],
    ['europe-west4-a', 'eu'],
    ['EU-FRANKFURT-1-AD-1', 'eu'],
    ['eu-de-1', 'eu'],
    ['EU-RO-1', 'eu'],
    ['EUR-NO-2', 'eu'],
    ['AP-JP-1', 'jp'],
    ['US-KS-2', 'us'],
    [' Europe ', 'eu'],
    ['westeurope', 'eu'],
  ])('%s lies in %s', (place, area) => expect(residencyOf(place)).toBe(area))

  test.each(['mars', 'dc1', 'dc1-a', 'EU-ZZ-1', 'xx-JP-1', 'eu-ro-1-x', ''])(
    '%s does not reveal where it is',
    (place) => expect(residencyOf(place)).toBeUndefined(),
  )
})

test('areasOf names each area once and leaves out unclear places', () => {
  expect(areasOf(['eu-west-1', 'mars', 'us-east-1', 'eu-north-1'])).toEqual(['eu', 'us'])
  expect(areasOf(['mars'])).toEqual([])
})
