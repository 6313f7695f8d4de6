import { expect, test } from 'vitest'
import { ADMIN, service } from './platform.suite.ts'
import { createToken, onlyAdministrators } from './tokens.ts'

const DAY_MS = 86_400_000

// Programs that run as Berth's own user could read every token, so they stop being free for all once others can start them.
test('readers change nothing about who may start programs; a writer or an administrator of one project does', async () => {
  const deps = service()
  const made = (name: string, role: 'reader' | 'writer' | 'admin', projects: readonly string[]) =>
    createToken(deps, ADMIN, { name, role, projects, ttl_ms: DAY_MS })
  await made('ops', 'admin', ['*'])
  await made('gateway', 'reader', ['*'])
  await made('auditor', 'reader', ['lab'])
  expect(await onlyAdministrators(deps)).toBe(true)
  await made('lead', 'admin', ['lab'])
  expect(await onlyAdministrators(deps)).toBe(false)
})

test('a writer can start programs', async () => {
  const deps = service()
  await createToken(deps, ADMIN, { name: 'wim', role: 'writer', projects: ['*'], ttl_ms: DAY_MS })
  expect(await onlyAdministrators(deps)).toBe(false)
})
