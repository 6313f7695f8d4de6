import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { PROVIDER_CONTRACT } from '../ports/provider.ts'
import { PROVIDER_GUIDE, registered } from './register.ts'
import { PROVIDER_KINDS } from './registry.ts'
import { readSettings } from './settings.ts'

test('every kind has a name of its own, a line about itself, and the contract of this version', () => {
  const kinds = PROVIDER_KINDS.map(({ kind }) => kind)
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(kinds).toContain('local')
  for (const { contract, kind, about } of PROVIDER_KINDS) {
    expect(contract).toBe(PROVIDER_CONTRACT)
    expect(kind).toMatch(/^[a-z][a-z-]*$/)
    expect(about.length).toBeGreaterThan(10)
  }
})

test('no kind takes a setting that it does not know, and each says so by its name', () => {
  for (const kind of PROVIDER_KINDS) {
    expect(readSettings(kind, { no_such_setting: 1 })).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([
        { path: ['no_such_setting'], message: expect.stringContaining('there is no such setting') },
      ]),
    })
  }
})

test('a kind for another version of the contract is refused, with the guide', () => {
  const old = { contract: 'berth.provider/v1', kind: 'depot' }
  expect(() => registered([...PROVIDER_KINDS, old])).toThrow(
    `The provider kind depot is written for berth.provider/v1, and this version of Berth needs ${PROVIDER_CONTRACT}.`,
  )
  expect(() => registered([old])).toThrow('docs/guides/add-a-provider.md')
  expect(existsSync(join(import.meta.dirname, '../..', PROVIDER_GUIDE))).toBe(true)
})

test('settings of every kind can be drawn as a form', () => {
  for (const { settings } of PROVIDER_KINDS) {
    const form = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })
    expect(Object.keys(form.properties ?? {}).length).toBeGreaterThan(5)
  }
})

test('what talks to a provider is loaded when one is opened, and not before', () => {
  for (const { kind } of PROVIDER_KINDS) {
    const text = readFileSync(join(import.meta.dirname, kind, 'kind.ts'), 'utf8')
    const loaded = [...text.matchAll(/^import (?!type).* from '(.*)'$/gm)].map(([, from]) => from)
    expect(loaded).toEqual(['../../ports/provider.ts', '../define-kind.ts', './settings.ts'])
    expect(text).toContain("await import('./open.ts')")
  }
})
