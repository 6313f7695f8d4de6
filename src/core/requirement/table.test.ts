import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { checkOf } from '../life/row/check.ts'
import { heldByExamples, wantedByExamples } from './key.suite.ts'
import type { AnyKey } from './key.ts'
import { GPU, MACHINE } from './table.ts'

const TABLES = [
  ['gpu', GPU.keys, GPU],
  ['machine', MACHINE.keys, MACHINE],
] as const

/** The parts that these laws look at, whatever the facts of a key are. */
type LawKey = Pick<AnyKey<never>, 'key' | 'held' | 'slot' | 'place' | 'name' | 'also' | 'notes' | 'flag' | 'set'>

describe.each(TABLES)('the keys of a %s', (_, keys: readonly LawKey[], table) => {
  test('have names, places and flags of their own', () => {
    const own = (of: (key: LawKey) => unknown): void => expect(new Set(keys.map(of)).size).toBe(keys.length)
    for (const part of ['key', 'held', 'slot', 'place', 'name'] as const) own((key) => key[part])
    own(({ key, flag }) => flag.name ?? key)
    expect(keys.map(({ place }) => place)).toEqual(keys.map(({ place }) => place).toSorted((one, two) => one - two))
  })

  test('are described in sentences, with an example', () => {
    for (const { key, notes } of keys) {
      expect(notes.description, key).toMatch(/^[A-Z].*\.$/)
      expect(notes.examples?.length, key).toBeGreaterThan(0)
    }
  })

  test('have one property each in every form', () => {
    expect(Object.keys(table.fields)).toEqual(keys.map(({ key }) => key))
    expect(Object.keys(table.rows)).toEqual(keys.map(({ held }) => held))
    expect(Object.keys(table.any)).toEqual(keys.map(({ slot }) => slot))
  })
})

describe.each([...GPU.keys, ...MACHINE.keys].map((key) => [key.key, key] as const))('%s', (_, key: AnyKey<never>) => {
  test('is kept by a row as it was read, and JSON loses nothing of it', () => {
    for (const held of heldByExamples(key)) {
      const kept: unknown = JSON.parse(JSON.stringify(held))
      expect(key.row.parse(kept)).toEqual(held)
      expect(checkOf(key.row)(kept)).toBe(true)
      expect(key.want(kept)).toEqual(key.want(held))
    }
  })

  test('obeys the laws of its sets', () => {
    const { any, meet, covers } = key.set
    for (const wanted of wantedByExamples(key)) {
      expect(meet(any, wanted)).toEqual(wanted)
      expect(meet(wanted, any)).toEqual(wanted)
      expect(meet(wanted, wanted)).toEqual(wanted)
      expect([covers(any, wanted), covers(wanted, wanted)]).toEqual([true, true])
      expect(covers(wanted, any)).toBe(false)
    }
  })
})

describe('reading a map', () => {
  test('leaves out what is not stated and has no default', () => {
    expect(GPU.read({})).toStrictEqual({
      count: 1,
      vendors: ['nvidia'],
      arch: [],
      interconnect: 'any',
      sharing: 'never',
    })
    expect(MACHINE.read({})).toStrictEqual({ hostArch: ['amd64'] })
  })

  test('refuses nothing that its own schema accepts', () => {
    const all = Object.fromEntries(GPU.keys.map(({ key, notes }) => [key, notes.examples?.[0]]))
    const file = z.strictObject(GPU.fields).parse(all)
    expect(z.object(GPU.rows).parse(GPU.read(file))).toEqual(GPU.read(file))
  })
})
