import { describe, expect, test } from 'vitest'
import { Secret } from '../ports/secret.ts'
import { credentialOf, keepCredentialsApart, misplacedCredentials } from './credentials.ts'
import type { Principal } from './doors.ts'
import { ADMIN, desk, NOW_MS, refusalOf, type TestDoors } from './platform.suite.ts'
import { listSecrets, removeSecret, secretsFor, setCredential, setSecret } from './secrets.ts'
import { launch, pushTemplate } from './templates.ts'
import { applyManifest } from './workload/workloads.ts'

const CONFIG = 'providers: { cloud: { kind: sim, credential: CLOUD_KEY } }'
const WRITER: Principal = { name: 'wim', role: 'writer', projects: ['default'] }
const OLD = { project: 'default', name: 'CLOUD_KEY' }
const NO_TERMS = { once: undefined, ifTag: undefined }
const RESERVED = 'SECRET_RESERVED: The secret CLOUD_KEY is the credential of a provider, and no workload may have it.'

/** A project `default` that holds the credential of a provider, as installations from before do. */
async function before(): Promise<TestDoors> {
  const doors = desk({ config: CONFIG })
  await setSecret(doors, ADMIN, { at: OLD, value: new Secret('opens the cloud') })
  await keepCredentialsApart(doors)
  return doors
}

const manifest = (name: string, secrets: string): string =>
  `berth: v1\nkind: job\nname: ${name}\nimage: a\nresources: { cpu: 1 }\nsecrets: [${secrets}]\n`

const apply = (doors: TestDoors, secrets: string, actor = WRITER) =>
  applyManifest(doors, actor, {
    project: 'default',
    text: manifest('thief', secrets),
    file: 'f',
    pinned: undefined,
    ...NO_TERMS,
  })

describe('the credential of a provider', () => {
  test('lies in a scope that no project has', async () => {
    const doors = desk({ config: CONFIG })
    await keepCredentialsApart(doors)
    await setCredential(doors, ADMIN, { name: 'CLOUD_KEY', value: new Secret('opens the cloud') })
    expect((await credentialOf(doors, 'CLOUD_KEY'))?.reveal()).toBe('opens the cloud')
    expect(await listSecrets(doors, WRITER, 'default')).toEqual([])
    expect(await listSecrets(doors, ADMIN, '*')).toMatchObject([{ name: 'CLOUD_KEY', version: 1 }])
    expect(await refusalOf(apply(doors, 'CLOUD_KEY'))).toEqual([
      'SECRET_MISSING: thief names CLOUD_KEY, which project default does not have.',
    ])
    expect(await secretsFor(doors, 'default', ['CLOUD_KEY'])).toHaveProperty('problems')
  })

  test('is never what a project has set under its name', async () => {
    const doors = desk({ config: CONFIG })
    await keepCredentialsApart(doors)
    await setSecret({ ...doors, clock: { ...doors.clock, nowMs: () => NOW_MS + 1 } }, WRITER, {
      at: OLD,
      value: new Secret('opens the account of a thief'),
    })
    expect(await credentialOf(doors, 'CLOUD_KEY')).toBeUndefined()
    expect(await misplacedCredentials(doors)).toEqual([])
    // It is an ordinary secret of the project, which its workloads get.
    expect(await secretsFor(doors, 'default', ['CLOUD_KEY'])).toHaveProperty('secrets')
  })
})

describe('a credential among the secrets of project default, from before', () => {
  test('goes on opening its provider, and is named', async () => {
    const doors = await before()
    expect((await credentialOf(doors, 'CLOUD_KEY'))?.reveal()).toBe('opens the cloud')
    expect(await misplacedCredentials(doors)).toEqual(['CLOUD_KEY'])
  })

  test('is kept from manifests, templates and launches, whoever asks', async () => {
    const doors = await before()
    expect(await refusalOf(apply(doors, 'CLOUD_KEY'))).toEqual([RESERVED])
    expect(await refusalOf(apply(doors, 'CLOUD_KEY', ADMIN))).toEqual([RESERVED])
    const text = `parameters: { which: { type: text } }\n${manifest('thief', '"${which}"')}`
    await pushTemplate(doors, WRITER, { at: { project: 'default', name: 'thief' }, text })
    const ask = { project: 'default', template: 'thief', version: undefined, name: undefined, ...NO_TERMS }
    expect(await refusalOf(launch(doors, WRITER, { ...ask, set: { which: 'CLOUD_KEY' } }))).toEqual([RESERVED])
    const found = await secretsFor(doors, 'default', ['CLOUD_KEY'])
    expect('problems' in found && found.problems.map(({ code }) => code)).toEqual(['SECRET_RESERVED'])
  })

  test('is not listed to the project, nor replaced or removed by it', async () => {
    const doors = await before()
    expect(await listSecrets(doors, WRITER, 'default')).toEqual([])
    expect(await listSecrets(doors, { ...WRITER, role: 'admin' }, 'default')).toEqual([])
    const value = new Secret('another account')
    for (const actor of [WRITER, { ...WRITER, role: 'admin' as const }, { ...WRITER, projects: ['*'] }]) {
      expect(await refusalOf(setSecret(doors, actor, { at: OLD, value }))).toEqual([RESERVED])
      expect(await refusalOf(removeSecret(doors, actor, OLD))).toEqual([RESERVED])
    }
    expect((await credentialOf(doors, 'CLOUD_KEY'))?.reveal()).toBe('opens the cloud')
  })

  test('is set anew by an administrator of all, and stays what it is', async () => {
    const doors = await before()
    const later = { ...doors, clock: { ...doors.clock, nowMs: () => NOW_MS + 1000 } }
    await setSecret(later, ADMIN, { at: OLD, value: new Secret('a newer key') })
    expect((await credentialOf(doors, 'CLOUD_KEY'))?.reveal()).toBe('a newer key')
    expect(await refusalOf(apply(doors, 'CLOUD_KEY'))).toEqual([RESERVED])
  })

  test('is moved as it is, and nothing of it is left behind', async () => {
    const doors = await before()
    await setCredential(doors, ADMIN, { name: 'CLOUD_KEY', value: undefined })
    expect((await credentialOf(doors, 'CLOUD_KEY'))?.reveal()).toBe('opens the cloud')
    expect(await doors.store.get('secret', 'default/CLOUD_KEY')).toBeUndefined()
    expect(await misplacedCredentials(doors)).toEqual([])
    expect(await refusalOf(setCredential(doors, ADMIN, { name: 'OTHER', value: undefined }))).toEqual([
      'NOT_FOUND: There is no secret OTHER of project default that opens a provider, so nothing can be moved.',
    ])
  })

  test('leaves the project also when it is set with another value', async () => {
    const doors = await before()
    await setCredential(doors, ADMIN, { name: 'CLOUD_KEY', value: new Secret('a newer key') })
    expect((await credentialOf(doors, 'CLOUD_KEY'))?.reveal()).toBe('a newer key')
    expect(await doors.store.get('secret', 'default/CLOUD_KEY')).toBeUndefined()
  })
})
