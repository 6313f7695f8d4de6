import { describe, expect, test } from 'vitest'
import type { ProviderView } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import { platformOf, providersOf, readPlatform } from './platform.ts'
import { ADMIN, service, putSlot, refusalOf, trailOf } from './platform.suite.ts'
import { addProvider, forgetRemoved, listProviders, removeProvider, setProvider } from './providers.ts'
import { setCredential } from './secrets.ts'

const CONFIG = `providers:
  here: { kind: local, settings: { runtime: process } }
  off: { kind: sim, enabled: false }
  paper: { offers: [paper.yaml] }`

const CLOUD = { name: 'cloud', kind: 'sim', settings: { seed: 1, regions: ['eu'] } }

async function states(deps: ReturnType<typeof service>): Promise<readonly string[]> {
  return (await listProviders(deps, ADMIN)).map(({ name, kind, state, origin }) => `${name} ${kind} ${state} ${origin}`)
}

describe('providers', () => {
  test('come from the file and the API, as far as Berth talks to them', async () => {
    const deps = service({ config: CONFIG })
    await addProvider(deps, ADMIN, CLOUD)
    expect(await states(deps)).toEqual(['cloud sim open api', 'here local open file', 'off sim cordoned file'])
    const rows = await readPlatform(deps.store)
    expect(platformOf(deps.config(), rows).providers.map(({ name }) => name)).toEqual(['here', 'off', 'paper', 'cloud'])
    expect(platformOf(undefined, rows)).toMatchObject({
      providers: [{ name: 'cloud', kind: 'sim', settings: CLOUD.settings, enabled: true, priceFactor: 1 }],
      policies: [],
      defaultPolicy: 'default',
      projects: [],
    })
  })

  test.each([
    ['reader', ['*']],
    ['writer', ['lab']],
    ['admin', ['lab']],
  ] as const)('that fail tell a %s of %j so, and not what they said', async (role, projects) => {
    const plain = service({ config: CONFIG })
    const said = 'AUTH: arn:aws:iam::123456789012:user/ops may not call 10.0.0.7'
    const view = {
      name: 'here',
      kind: 'x',
      state: 'open',
      origin: 'api',
      offers: 0,
      instances: 0,
      usd_per_hour: 0,
    } as const
    const views = () => [{ ...view, reachable: false, last_answer_ms: undefined, last_fault: said }]
    const deps = { ...plain, providers: { ...plain.providers, views } }
    expect((await listProviders(deps, ADMIN))[0]?.last_fault).toBe(said)
    const [seen] = await listProviders(deps, { role, projects })
    expect(seen?.last_fault).toBe('it fails; an administrator can see why')
    expect(JSON.stringify(seen)).not.toMatch(/arn:|10\.0/)
  })

  test('are shown with what this process knows of them', async () => {
    const plain = service({ config: CONFIG })
    const live = {
      name: 'here',
      kind: 'x',
      state: 'open',
      origin: 'api',
      offers: 3,
      instances: 2,
      usd_per_hour: 1,
    } as const
    const view = { ...live, reachable: true, last_answer_ms: 5, last_fault: undefined }
    const deps = { ...plain, providers: { ...plain.providers, views: () => [view] } }
    expect((await listProviders(deps, ADMIN))[0]).toEqual({
      ...view,
      kind: 'local',
      origin: 'file',
      // Rows say what runs there, because whose it is must be known.
      instances: 0,
      usd_per_hour: 0,
    })
    expect((await listProviders(deps, ADMIN))[1]).toMatchObject({ name: 'off', reachable: undefined, offers: 0 })
    const config = deps.config()
    const without = { ...deps, config: () => config && { ...config, isBuiltIn: true as const } }
    expect((await listProviders(without, ADMIN))[0]).toMatchObject({ origin: 'built-in' })
  })

  test('that hold work and are not configured stay in sight, with what to do', async () => {
    const deps = service({ config: CONFIG })
    await putSlot(deps, { key: 'default/a/0', provider: 'gone', phase: 'running' })
    await putSlot(deps, { key: 'default/a/1', provider: 'ended', phase: 'gone' })
    expect(await states(deps)).toEqual(['gone ? unconfigured unknown', 'here local open file', 'off sim cordoned file'])
    expect((await listProviders(deps, ADMIN))[0]).toMatchObject({
      instances: 1,
      hint: 'it is not configured, and 1 instance that Berth started may run there: start berth with the config that has it, or berth provider add gone --kind KIND --set … with its kind and settings',
    })
    expect(await refusalOf(removeProvider(deps, ADMIN, 'gone'))).toEqual([
      'NOT_FOUND: The provider gone is not configured, and default/a/0 may run there.',
    ])
  })

  test.each<[readonly string[], readonly (readonly [string, number])[]]>([
    [
      ['*'],
      [
        ['gone', 1],
        ['here', 3],
        ['off', 0],
      ],
    ],
    [
      ['alpha'],
      [
        ['here', 2],
        ['off', 0],
      ],
    ],
    [
      ['alpha', 'beta'],
      [
        ['gone', 1],
        ['here', 3],
        ['off', 0],
      ],
    ],
    [
      ['gamma'],
      [
        ['here', 0],
        ['off', 0],
      ],
    ],
    [
      ['alph'],
      [
        ['here', 0],
        ['off', 0],
      ],
    ],
  ])('a member of %j is told of the work of these projects only', async (projects, counts) => {
    const deps = service({ config: CONFIG })
    for (const [key, provider] of [
      ['alpha/a/0', 'here'],
      ['alpha/a/1', 'here'],
      ['beta/b/0', 'here'],
      ['beta/c/0', 'gone'],
    ] as const)
      await putSlot(deps, { key, provider, phase: 'running' })
    const views = await listProviders(deps, { role: 'writer', projects })
    expect(views.map(({ name, instances }) => [name, instances])).toEqual(counts)
  })

  test('that are removed are said to be so only once they are', async () => {
    const deps = service()
    await addProvider(deps, ADMIN, CLOUD)
    expect((await removeProvider(deps, ADMIN, 'cloud')).state).toBe('removing')
    expect((await listProviders(deps, ADMIN))[0]?.hint).toBe(
      'it will be removed once it confirms that nothing runs there',
    )
    expect((await removeProvider(deps, ADMIN, 'cloud')).state).toBe('removed')
    expect(await states(deps)).toEqual([])
  })

  test('of the file count when the file came later', async () => {
    const deps = service()
    await addProvider(deps, ADMIN, { ...CLOUD, name: 'paper' })
    const config = service({ config: CONFIG }).config()
    const rows = await readPlatform(deps.store)
    expect(providersOf(config, rows).map(({ name }) => name)).toEqual(['here', 'off'])
    expect(platformOf(config, rows).providers.map(({ name, kind }) => [name, kind])).toContainEqual([
      'paper',
      undefined,
    ])
  })
})

describe('adding a provider', () => {
  test('is done once, however often it is asked for', async () => {
    const deps = service()
    const view = await addProvider(deps, ADMIN, CLOUD)
    expect(view).toMatchObject({ name: 'cloud', kind: 'sim', state: 'open', origin: 'api', reachable: undefined })
    const again = { ...CLOUD, settings: { regions: ['eu'], seed: 1 } }
    expect(await addProvider(deps, ADMIN, again)).toEqual(view)
    expect(await trailOf(deps)).toEqual([
      'ada provider.add * provider/cloud {"kind":"sim"}',
      'provider-added * provider/cloud {"kind":"sim","by":"ada"}',
    ])
  })

  test('with other settings is taken while nothing can run there, and keeps its state', async () => {
    const deps = service()
    await addProvider(deps, ADMIN, CLOUD)
    await setProvider(deps, ADMIN, { name: 'cloud', state: 'cordoned' })
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    await putSlot(deps, { key: 'default/b/0', provider: 'elsewhere', phase: 'running' })
    expect(await addProvider(deps, ADMIN, { ...CLOUD, settings: {} })).toMatchObject({ state: 'cordoned' })
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'unknown' })
    expect(await refusalOf(addProvider(deps, ADMIN, CLOUD))).toEqual([
      'PROVIDER_IN_USE: default/a/0 may still run at cloud.',
    ])
    expect(await refusalOf(addProvider(deps, ADMIN, { ...CLOUD, settings: {} }))).toEqual([])
  })

  test('with settings that change nothing behind its name is taken while something runs there', async () => {
    const plain = service()
    const kinds = () => [{ kind: 'sim', about: '', harmless: ['quota'] }]
    const deps = { ...plain, providers: { ...plain.providers, kinds } }
    const settings = { quota: 1, seed: 7 }
    await addProvider(deps, ADMIN, { ...CLOUD, settings })
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'running' })
    await addProvider(deps, ADMIN, { ...CLOUD, settings: { ...settings, quota: 5 } })
    const row = await deps.store.get('provider', 'cloud')
    expect(row?.body.settings).toEqual({ quota: 5, seed: 7 })
    const refused = addProvider(deps, ADMIN, { ...CLOUD, settings: { quota: 5, seed: 8 } })
    await expect(refused).rejects.toMatchObject({
      problems: [{ code: 'PROVIDER_IN_USE', hint: expect.stringContaining('only these settings may change: quota.') }],
    })
  })

  test.each([
    [{ ...CLOUD, name: 'here' }, ['NAME_OF_FILE: The provider here is defined in the infrastructure file.']],
    [{ ...CLOUD, name: 'paper' }, ['NAME_OF_FILE: The provider paper is defined in the infrastructure file.']],
    [{ ...CLOUD, kind: 'locl' }, ['PROVIDER_KIND_UNKNOWN: There is no provider kind locl.']],
    [
      { ...CLOUD, settings: { wrong: 1 } },
      ['PROVIDER_SETTINGS: cloud: wrong: is not known', 'PROVIDER_SETTINGS: cloud: right: is missing'],
    ],
    [{ ...CLOUD, credential: 'TOKEN' }, ['SECRET_MISSING: The platform has no secret TOKEN.']],
  ])('is refused when it makes no sense: %j', async (added, problems) => {
    const deps = service({ config: CONFIG })
    expect(await refusalOf(addProvider(deps, ADMIN, added))).toEqual(problems)
    expect(await deps.store.head()).toBe(0)
  })

  test('remembers the name of its credential', async () => {
    const deps = service()
    await setCredential(deps, ADMIN, { name: 'TOKEN', value: new Secret('a value') })
    await addProvider(deps, ADMIN, { ...CLOUD, credential: 'TOKEN' })
    expect(providersOf(undefined, await readPlatform(deps.store))).toMatchObject([{ credential: 'TOKEN' }])
  })
})

describe('the state of a provider', () => {
  test('can be set, also where the file defines it', async () => {
    const deps = service({ config: CONFIG })
    await addProvider(deps, ADMIN, CLOUD)
    expect(await setProvider(deps, ADMIN, { name: 'cloud', state: 'draining' })).toMatchObject({ state: 'draining' })
    expect(await setProvider(deps, ADMIN, { name: 'here', state: 'cordoned' })).toMatchObject({ state: 'cordoned' })
    expect(await states(deps)).toEqual(['cloud sim draining api', 'here local cordoned file', 'off sim cordoned file'])
    await setProvider(deps, ADMIN, { name: 'here', state: 'open' })
    await setProvider(deps, ADMIN, { name: 'here', state: 'open' })
    expect(await states(deps)).toContain('here local open file')
    expect((await trailOf(deps)).filter((line) => line.startsWith('ada provider.state'))).toEqual([
      'ada provider.state * provider/cloud {"state":"draining"}',
      'ada provider.state * provider/here {"state":"cordoned"}',
      'ada provider.state * provider/here {"state":"open"}',
    ])
  })

  test('is not open where the file turns the provider off', async () => {
    const deps = service({ config: CONFIG })
    expect(await refusalOf(setProvider(deps, ADMIN, { name: 'off', state: 'open' }))).toEqual([
      'NAME_OF_FILE: The infrastructure file disables the provider off.',
    ])
    await setProvider(deps, ADMIN, { name: 'off', state: 'draining' })
    expect(await states(deps)).toContain('off sim draining file')
  })

  test.each([
    ['nobody', ['NOT_FOUND: There is no provider nobody.']],
    ['paper', ['NOT_FOUND: The provider paper is a price list only: nothing can run there.']],
  ])('is not there for %s', async (name, problems) => {
    const deps = service({ config: CONFIG })
    expect(await refusalOf(setProvider(deps, ADMIN, { name, state: 'open' }))).toEqual(problems)
    expect(await refusalOf(removeProvider(deps, ADMIN, name))).toEqual(problems)
  })
})

describe('removing a provider', () => {
  test('that takes work leaves it to the leader, who may be placing some this moment', async () => {
    const deps = service()
    await addProvider(deps, ADMIN, CLOUD)
    expect(await removeProvider(deps, ADMIN, 'cloud')).toMatchObject({ state: 'removing' })
    expect(await states(deps)).toEqual(['cloud sim removing api'])
    for (const doing of [addProvider(deps, ADMIN, CLOUD), setProvider(deps, ADMIN, { name: 'cloud', state: 'open' })]) {
      expect(await refusalOf(doing)).toEqual(['PROVIDER_LEAVING: The provider cloud is being removed.'])
    }
    const { term } = await deps.store.lead('me', 1000)
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'stopping' })
    expect(await forgetRemoved(deps, term)).toEqual([])
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    expect(await forgetRemoved(deps, term + 1)).toEqual([])
    expect(await forgetRemoved(deps, term)).toEqual(['cloud'])
    expect(await states(deps)).toEqual([])
    expect((await trailOf(deps)).filter((line) => line.includes('remove'))).toEqual([
      'ada provider.remove * provider/cloud {"state":"removing"}',
      'system provider.remove * provider/cloud {}',
      'provider-removed * provider/cloud {"by":"system"}',
    ])
  })

  test('that takes none and has nothing left is done at once', async () => {
    const deps = service()
    await addProvider(deps, ADMIN, CLOUD)
    await setProvider(deps, ADMIN, { name: 'cloud', state: 'draining' })
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'running' })
    await removeProvider(deps, ADMIN, 'cloud')
    await removeProvider(deps, ADMIN, 'cloud')
    expect(await states(deps)).toEqual(['cloud sim removing api'])
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    await removeProvider(deps, ADMIN, 'cloud')
    expect(await states(deps)).toEqual([])
  })

  test('that does not answer is refused while something may run there: it would never end', async () => {
    const deps = service()
    const view = await addProvider(deps, ADMIN, CLOUD)
    const dead: ProviderView = { ...view, reachable: false, last_fault: 'AUTH: revoked' }
    const silent = { ...deps, providers: { ...deps.providers, views: () => [dead] } }
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'unknown' })
    expect(await refusalOf(removeProvider(silent, ADMIN, 'cloud'))).toEqual([
      'PROVIDER_IN_USE: cloud does not answer (AUTH: revoked), so what may run there cannot be stopped: default/a/0.',
    ])
    expect(await states(deps)).toEqual(['cloud sim open api'])
    await putSlot(deps, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    expect(await removeProvider(silent, ADMIN, 'cloud')).toMatchObject({ state: 'removing' })
  })

  test('is refused where the file defines it', async () => {
    const deps = service({ config: CONFIG })
    expect(await refusalOf(removeProvider(deps, ADMIN, 'here'))).toEqual([
      'NAME_OF_FILE: The provider here is defined in the infrastructure file.',
    ])
  })
})
