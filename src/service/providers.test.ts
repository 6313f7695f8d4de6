import { describe, expect, test } from 'vitest'
import type { ProviderView } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import { platformOf, providersOf, readPlatform } from './platform.ts'
import { ADMIN, desk, putSlot, refusalOf, trailOf } from './platform.suite.ts'
import { addProvider, forgetRemoved, listProviders, removeProvider, setProvider } from './providers.ts'
import { setCredential } from './secrets.ts'

const CONFIG = `providers:
  here: { kind: local, settings: { runtime: process } }
  off: { kind: sim, enabled: false }
  paper: { offers: [paper.yaml] }`

const CLOUD = { name: 'cloud', kind: 'sim', settings: { seed: 1, regions: ['eu'] } }

async function states(doors: ReturnType<typeof desk>): Promise<readonly string[]> {
  return (await listProviders(doors)).map(({ name, kind, state, origin }) => `${name} ${kind} ${state} ${origin}`)
}

describe('providers', () => {
  test('come from the file and the API, as far as Berth talks to them', async () => {
    const doors = desk({ config: CONFIG })
    await addProvider(doors, ADMIN, CLOUD)
    expect(await states(doors)).toEqual(['cloud sim open api', 'here local open file', 'off sim cordoned file'])
    const rows = await readPlatform(doors.store)
    expect(platformOf(doors.config(), rows).providers.map(({ name }) => name)).toEqual([
      'here',
      'off',
      'paper',
      'cloud',
    ])
    expect(platformOf(undefined, rows)).toMatchObject({
      providers: [{ name: 'cloud', kind: 'sim', settings: CLOUD.settings, enabled: true, priceFactor: 1 }],
      policies: [],
      defaultPolicy: 'default',
      projects: [],
    })
  })

  test('are shown with what this process knows of them', async () => {
    const plain = desk({ config: CONFIG })
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
    const doors = { ...plain, providers: { ...plain.providers, views: () => [view] } }
    expect((await listProviders(doors))[0]).toEqual({ ...view, kind: 'local', origin: 'file' })
    expect((await listProviders(doors))[1]).toMatchObject({ name: 'off', reachable: undefined, offers: 0 })
    const config = doors.config()
    const without = { ...doors, config: () => config && { ...config, isBuiltIn: true as const } }
    expect((await listProviders(without))[0]).toMatchObject({ origin: 'built-in' })
  })

  test('that hold work and are not configured stay in sight, with what to do', async () => {
    const doors = desk({ config: CONFIG })
    await putSlot(doors, { key: 'default/a/0', provider: 'gone', phase: 'running' })
    await putSlot(doors, { key: 'default/a/1', provider: 'ended', phase: 'gone' })
    expect(await states(doors)).toEqual([
      'gone ? unconfigured unknown',
      'here local open file',
      'off sim cordoned file',
    ])
    expect((await listProviders(doors))[0]).toMatchObject({
      instances: 1,
      hint: 'it is not configured, and 1 of ours may run there: start berth with the config that has it, or berth provider add gone --kind KIND --set … with its kind and settings',
    })
    expect(await refusalOf(removeProvider(doors, ADMIN, 'gone'))).toEqual([
      'NOT_FOUND: The provider gone is not configured, and there may run default/a/0.',
    ])
  })

  test('that are removed are said to be so only once they are', async () => {
    const doors = desk()
    await addProvider(doors, ADMIN, CLOUD)
    expect((await removeProvider(doors, ADMIN, 'cloud')).state).toBe('removing')
    expect((await listProviders(doors))[0]?.hint).toBe(
      'it is being removed, and goes once its list shows nothing of ours',
    )
    expect((await removeProvider(doors, ADMIN, 'cloud')).state).toBe('removed')
    expect(await states(doors)).toEqual([])
  })

  test('of the file count when the file came later', async () => {
    const doors = desk()
    await addProvider(doors, ADMIN, { ...CLOUD, name: 'paper' })
    const config = desk({ config: CONFIG }).config()
    const rows = await readPlatform(doors.store)
    expect(providersOf(config, rows).map(({ name }) => name)).toEqual(['here', 'off'])
    expect(platformOf(config, rows).providers.map(({ name, kind }) => [name, kind])).toContainEqual([
      'paper',
      undefined,
    ])
  })
})

describe('adding a provider', () => {
  test('is done once, however often it is asked for', async () => {
    const doors = desk()
    const view = await addProvider(doors, ADMIN, CLOUD)
    expect(view).toMatchObject({ name: 'cloud', kind: 'sim', state: 'open', origin: 'api', reachable: undefined })
    const again = { ...CLOUD, settings: { regions: ['eu'], seed: 1 } }
    expect(await addProvider(doors, ADMIN, again)).toEqual(view)
    expect(await trailOf(doors)).toEqual([
      'ada provider.add * provider/cloud {"kind":"sim"}',
      'accepted * provider/cloud {"kind":"sim"}',
    ])
  })

  test('with other settings is taken while nothing can run there, and keeps its state', async () => {
    const doors = desk()
    await addProvider(doors, ADMIN, CLOUD)
    await setProvider(doors, ADMIN, { name: 'cloud', state: 'cordoned' })
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    await putSlot(doors, { key: 'default/b/0', provider: 'elsewhere', phase: 'running' })
    expect(await addProvider(doors, ADMIN, { ...CLOUD, settings: {} })).toMatchObject({ state: 'cordoned' })
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'unknown' })
    expect(await refusalOf(addProvider(doors, ADMIN, CLOUD))).toEqual(['PROVIDER_IN_USE: At cloud run default/a/0.'])
    expect(await refusalOf(addProvider(doors, ADMIN, { ...CLOUD, settings: {} }))).toEqual([])
  })

  test('with settings that change nothing behind its name is taken while something runs there', async () => {
    const plain = desk()
    const kinds = () => [{ kind: 'sim', about: '', harmless: ['quota'] }]
    const doors = { ...plain, providers: { ...plain.providers, kinds } }
    const settings = { quota: 1, seed: 7 }
    await addProvider(doors, ADMIN, { ...CLOUD, settings })
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'running' })
    await addProvider(doors, ADMIN, { ...CLOUD, settings: { ...settings, quota: 5 } })
    const row = await doors.store.get('provider', 'cloud')
    expect(row?.body.settings).toEqual({ quota: 5, seed: 7 })
    const refused = addProvider(doors, ADMIN, { ...CLOUD, settings: { quota: 5, seed: 8 } })
    await expect(refused).rejects.toMatchObject({
      problems: [{ code: 'PROVIDER_IN_USE', hint: expect.stringContaining('only these settings may change: quota.') }],
    })
  })

  test.each([
    [{ ...CLOUD, name: 'here' }, ['NAME_OF_FILE: The provider here stands in the infrastructure file.']],
    [{ ...CLOUD, name: 'paper' }, ['NAME_OF_FILE: The provider paper stands in the infrastructure file.']],
    [{ ...CLOUD, kind: 'locl' }, ['PROVIDER_KIND_UNKNOWN: There is no kind of provider called locl.']],
    [
      { ...CLOUD, settings: { wrong: 1 } },
      ['PROVIDER_SETTINGS: cloud: wrong: is not known', 'PROVIDER_SETTINGS: cloud: right: is missing'],
    ],
    [{ ...CLOUD, credential: 'TOKEN' }, ['SECRET_MISSING: The platform has no secret TOKEN.']],
  ])('is refused when it makes no sense: %j', async (added, problems) => {
    const doors = desk({ config: CONFIG })
    expect(await refusalOf(addProvider(doors, ADMIN, added))).toEqual(problems)
    expect(await doors.store.head()).toBe(0)
  })

  test('remembers the name of its credential', async () => {
    const doors = desk()
    await setCredential(doors, ADMIN, { name: 'TOKEN', value: new Secret('a value') })
    await addProvider(doors, ADMIN, { ...CLOUD, credential: 'TOKEN' })
    expect(providersOf(undefined, await readPlatform(doors.store))).toMatchObject([{ credential: 'TOKEN' }])
  })
})

describe('the state of a provider', () => {
  test('can be set, also where the file defines it', async () => {
    const doors = desk({ config: CONFIG })
    await addProvider(doors, ADMIN, CLOUD)
    expect(await setProvider(doors, ADMIN, { name: 'cloud', state: 'draining' })).toMatchObject({ state: 'draining' })
    expect(await setProvider(doors, ADMIN, { name: 'here', state: 'cordoned' })).toMatchObject({ state: 'cordoned' })
    expect(await states(doors)).toEqual(['cloud sim draining api', 'here local cordoned file', 'off sim cordoned file'])
    await setProvider(doors, ADMIN, { name: 'here', state: 'open' })
    await setProvider(doors, ADMIN, { name: 'here', state: 'open' })
    expect(await states(doors)).toContain('here local open file')
    expect((await trailOf(doors)).filter((line) => line.startsWith('ada provider.state'))).toEqual([
      'ada provider.state * provider/cloud {"state":"draining"}',
      'ada provider.state * provider/here {"state":"cordoned"}',
      'ada provider.state * provider/here {"state":"open"}',
    ])
  })

  test('is not open where the file turns the provider off', async () => {
    const doors = desk({ config: CONFIG })
    expect(await refusalOf(setProvider(doors, ADMIN, { name: 'off', state: 'open' }))).toEqual([
      'NAME_OF_FILE: The infrastructure file does not use the provider off.',
    ])
    await setProvider(doors, ADMIN, { name: 'off', state: 'draining' })
    expect(await states(doors)).toContain('off sim draining file')
  })

  test.each([
    ['nobody', ['NOT_FOUND: There is no provider nobody.']],
    ['paper', ['NOT_FOUND: The provider paper has offers on paper only: nothing can run there.']],
  ])('is not there for %s', async (name, problems) => {
    const doors = desk({ config: CONFIG })
    expect(await refusalOf(setProvider(doors, ADMIN, { name, state: 'open' }))).toEqual(problems)
    expect(await refusalOf(removeProvider(doors, ADMIN, name))).toEqual(problems)
  })
})

describe('removing a provider', () => {
  test('that takes work leaves it to the leader, who may be placing some this moment', async () => {
    const doors = desk()
    await addProvider(doors, ADMIN, CLOUD)
    expect(await removeProvider(doors, ADMIN, 'cloud')).toMatchObject({ state: 'removing' })
    expect(await states(doors)).toEqual(['cloud sim removing api'])
    for (const doing of [
      addProvider(doors, ADMIN, CLOUD),
      setProvider(doors, ADMIN, { name: 'cloud', state: 'open' }),
    ]) {
      expect(await refusalOf(doing)).toEqual(['PROVIDER_LEAVING: The provider cloud is being removed.'])
    }
    const { term } = await doors.store.lead('me', 1000)
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'stopping' })
    expect(await forgetRemoved(doors, term)).toEqual([])
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    expect(await forgetRemoved(doors, term + 1)).toEqual([])
    expect(await forgetRemoved(doors, term)).toEqual(['cloud'])
    expect(await states(doors)).toEqual([])
    expect((await trailOf(doors)).filter((line) => line.includes('remove'))).toEqual([
      'ada provider.remove * provider/cloud {"state":"removing"}',
      'system provider.remove * provider/cloud {}',
      'removed * provider/cloud {}',
    ])
  })

  test('that takes none and has nothing left is done at once', async () => {
    const doors = desk()
    await addProvider(doors, ADMIN, CLOUD)
    await setProvider(doors, ADMIN, { name: 'cloud', state: 'draining' })
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'running' })
    await removeProvider(doors, ADMIN, 'cloud')
    await removeProvider(doors, ADMIN, 'cloud')
    expect(await states(doors)).toEqual(['cloud sim removing api'])
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    await removeProvider(doors, ADMIN, 'cloud')
    expect(await states(doors)).toEqual([])
  })

  test('that does not answer is refused while something may run there: it would never end', async () => {
    const doors = desk()
    const view = await addProvider(doors, ADMIN, CLOUD)
    const dead: ProviderView = { ...view, reachable: false, last_fault: 'AUTH: revoked' }
    const silent = { ...doors, providers: { ...doors.providers, views: () => [dead] } }
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'unknown' })
    expect(await refusalOf(removeProvider(silent, ADMIN, 'cloud'))).toEqual([
      'PROVIDER_IN_USE: cloud does not answer (AUTH: revoked), so what may run there cannot be ended: default/a/0.',
    ])
    expect(await states(doors)).toEqual(['cloud sim open api'])
    await putSlot(doors, { key: 'default/a/0', provider: 'cloud', phase: 'gone' })
    expect(await removeProvider(silent, ADMIN, 'cloud')).toMatchObject({ state: 'removing' })
  })

  test('is refused where the file defines it', async () => {
    const doors = desk({ config: CONFIG })
    expect(await refusalOf(removeProvider(doors, ADMIN, 'here'))).toEqual([
      'NAME_OF_FILE: The provider here stands in the infrastructure file.',
    ])
  })
})
