import { expect, test } from 'vitest'
import { PROVIDER_CONTRACT } from '../ports/provider.ts'
import { PROVIDER_KINDS } from './registry.ts'

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
    const configured = kind.configure({ no_such_setting: 1 })
    expect(configured).toMatchObject({ ok: false, problems: [expect.stringContaining('no_such_setting')] })
  }
})
