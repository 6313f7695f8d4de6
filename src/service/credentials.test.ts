import { describe, expect, test } from 'vitest'
import { Secret } from '../ports/secret.ts'
import { credentialReader, keepCredentialsApart, misplacedCredentials } from './credentials.ts'
import type { Principal } from './deps.ts'
import { ADMIN, service, NOW_MS, refusalOf, type TestDeps } from './platform.suite.ts'
import { listSecrets, removeSecret, secretsFor, setCredential, setSecret } from './secrets.ts'
import { launch, pushTemplate } from './templates.ts'
import { applyManifest } from './workload/workloads.ts'

const CONFIG = 'providers: { cloud: { kind: sim, credential: CLOUD_KEY } }'
const WRITER: Principal = { name: 'wim', role: 'writer', projects: ['default'] }
const OLD = { project: 'default', name: 'CLOUD_KEY' }
const NO_TERMS = { once: undefined, ifTag: undefined }
const RESERVED = 'SECRET_RESERVED: The secret CLOUD_KEY is the credential of a provider, and no workload may use it.'

/** A project `default` that holds the credential of a provider, as installations from before do. */
async function before(): Promise<TestDeps> {
  const deps = service({ config: CONFIG })
  await setSecret(deps, ADMIN, { at: OLD, value: new Secret('opens the cloud') })
  await keepCredentialsApart(deps)
  return deps
}

const manifest = (name: string, secrets: string): string =>
  `berth: v1\nkind: job\nname: ${name}\nimage: a\nresources: { cpu: 1 }\nsecrets: [${secrets}]\n`

const apply = (deps: TestDeps, secrets: string, actor = WRITER) =>
  applyManifest(deps, actor, {
    project: 'default',
    text: manifest('thief', secrets),
    file: 'f',
    pinned: undefined,
    ...NO_TERMS,
  })

describe('the credential of a provider', () => {
  test('is in a scope that no project has', async () => {
    const deps = service({ config: CONFIG })
    await keepCredentialsApart(deps)
    await setCredential(deps, ADMIN, { name: 'CLOUD_KEY', value: new Secret('opens the cloud') })
    expect((await credentialReader(deps, 'CLOUD_KEY')())?.reveal()).toBe('opens the cloud')
    expect(await listSecrets(deps, WRITER, 'default')).toEqual([])
    expect(await listSecrets(deps, ADMIN, '*')).toMatchObject([{ name: 'CLOUD_KEY', version: 1 }])
    expect(await refusalOf(apply(deps, 'CLOUD_KEY'))).toEqual([
      'SECRET_MISSING: thief needs the secret CLOUD_KEY, which project default does not have.',
    ])
    expect(await secretsFor(deps, { project: 'default', workload: 'w' }, ['CLOUD_KEY'])).toHaveProperty('problems')
  })

  test('is read again for each call, and decrypted only when it has changed', async () => {
    const deps = service({ config: CONFIG })
    let opened = 0
    const open: typeof deps.vault.open = (sealed, about) => (opened++, deps.vault.open(sealed, about))
    const read = credentialReader({ store: deps.store, vault: { ...deps.vault, open } }, 'CLOUD_KEY')
    expect(await read()).toBeUndefined()
    for (const value of ['the first', 'the second']) {
      await setCredential(deps, ADMIN, { name: 'CLOUD_KEY', value: new Secret(value) })
      expect((await read())?.reveal()).toBe(value)
      expect((await read())?.reveal()).toBe(value)
    }
    expect(opened).toBe(2)
  })

  test('is never what a project has set under its name', async () => {
    const deps = service({ config: CONFIG })
    await keepCredentialsApart(deps)
    await setSecret({ ...deps, clock: { ...deps.clock, nowMs: () => NOW_MS + 1 } }, WRITER, {
      at: OLD,
      value: new Secret('opens the account of a thief'),
    })
    expect(await credentialReader(deps, 'CLOUD_KEY')()).toBeUndefined()
    expect(await misplacedCredentials(deps)).toEqual([])
    // It is an ordinary secret of the project, which its workloads get.
    expect(await secretsFor(deps, { project: 'default', workload: 'w' }, ['CLOUD_KEY'])).toHaveProperty('secrets')
  })
})

describe('a credential among the secrets of project default, from before', () => {
  test('goes on opening its provider, and is named', async () => {
    const deps = await before()
    expect((await credentialReader(deps, 'CLOUD_KEY')())?.reveal()).toBe('opens the cloud')
    expect(await misplacedCredentials(deps)).toEqual(['CLOUD_KEY'])
  })

  test('is out of reach for manifests, templates and launches of any caller', async () => {
    const deps = await before()
    expect(await refusalOf(apply(deps, 'CLOUD_KEY'))).toEqual([RESERVED])
    expect(await refusalOf(apply(deps, 'CLOUD_KEY', ADMIN))).toEqual([RESERVED])
    const text = `parameters: { which: { type: text } }\n${manifest('thief', '"${which}"')}`
    await pushTemplate(deps, WRITER, { at: { project: 'default', name: 'thief' }, text })
    const ask = { project: 'default', template: 'thief', version: undefined, name: undefined, ...NO_TERMS }
    expect(await refusalOf(launch(deps, WRITER, { ...ask, set: { which: 'CLOUD_KEY' } }))).toEqual([RESERVED])
    const found = await secretsFor(deps, { project: 'default', workload: 'w' }, ['CLOUD_KEY'])
    expect('problems' in found && found.problems.map(({ code }) => code)).toEqual(['SECRET_RESERVED'])
  })

  test('is not listed to the project, nor replaced or removed by it', async () => {
    const deps = await before()
    expect(await listSecrets(deps, WRITER, 'default')).toEqual([])
    expect(await listSecrets(deps, { ...WRITER, role: 'admin' }, 'default')).toEqual([])
    const value = new Secret('another account')
    for (const actor of [WRITER, { ...WRITER, role: 'admin' as const }, { ...WRITER, projects: ['*'] }]) {
      expect(await refusalOf(setSecret(deps, actor, { at: OLD, value }))).toEqual([RESERVED])
      expect(await refusalOf(removeSecret(deps, actor, OLD))).toEqual([RESERVED])
    }
    expect((await credentialReader(deps, 'CLOUD_KEY')())?.reveal()).toBe('opens the cloud')
  })

  test('can be set again by an administrator of all projects, and stays a credential', async () => {
    const deps = await before()
    const later = { ...deps, clock: { ...deps.clock, nowMs: () => NOW_MS + 1000 } }
    await setSecret(later, ADMIN, { at: OLD, value: new Secret('a newer key') })
    expect((await credentialReader(deps, 'CLOUD_KEY')())?.reveal()).toBe('a newer key')
    expect(await refusalOf(apply(deps, 'CLOUD_KEY'))).toEqual([RESERVED])
  })

  test('is moved as it is, and nothing of it is left behind', async () => {
    const deps = await before()
    await setCredential(deps, ADMIN, { name: 'CLOUD_KEY', value: undefined })
    expect((await credentialReader(deps, 'CLOUD_KEY')())?.reveal()).toBe('opens the cloud')
    expect(await deps.store.get('secret', 'default/CLOUD_KEY')).toBeUndefined()
    expect(await misplacedCredentials(deps)).toEqual([])
    expect(await refusalOf(setCredential(deps, ADMIN, { name: 'OTHER', value: undefined }))).toEqual([
      'NOT_FOUND: Project default has no provider credential OTHER to move.',
    ])
  })

  test('leaves the project also when it is set with another value', async () => {
    const deps = await before()
    await setCredential(deps, ADMIN, { name: 'CLOUD_KEY', value: new Secret('a newer key') })
    expect((await credentialReader(deps, 'CLOUD_KEY')())?.reveal()).toBe('a newer key')
    expect(await deps.store.get('secret', 'default/CLOUD_KEY')).toBeUndefined()
  })
})
