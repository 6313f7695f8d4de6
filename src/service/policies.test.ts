import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import { platformOf, readPlatform } from './platform.ts'
import { ADMIN, service, putWorkload, refusalOf, trailOf } from './platform.suite.ts'
import { listPolicies, removePolicy, setPolicy } from './policies.ts'
import { listProjects, setProject } from './projects.ts'

const CONFIG = 'policies: { production: { spot: allowed } }\nprojects: { research: { max_gpus: 4 } }'

describe('policies', () => {
  test('are listed with where they come from', async () => {
    const deps = service({ config: CONFIG })
    await setPolicy(deps, ADMIN, { name: 'cheap', settings: { max_usd_per_hour: 2 } })
    expect((await listPolicies(deps)).map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'cheap api',
      'default built-in',
      'production file',
    ])
    const { policies } = platformOf(deps.config(), await readPlatform(deps.store))
    expect(policies.map(({ name, usdPerHourMax }) => [name, usdPerHourMax])).toEqual([
      ['production', undefined],
      ['cheap', 2],
    ])
  })

  test('are set as in the infrastructure file, and the answer sets the same again', async () => {
    const deps = service()
    const view = await setPolicy(deps, ADMIN, { name: 'p', settings: { objective: 'balanced', spot: 'only' } })
    expect(view).toMatchObject({ name: 'p', origin: 'api', settings: { objective: 'balanced', spot: 'only' } })
    expect(await setPolicy(deps, ADMIN, { name: 'p', settings: view.settings })).toEqual(view)
    await setPolicy(deps, ADMIN, { name: 'p', settings: {} })
    expect(await trailOf(deps)).toEqual([
      'ada policy.set * policy/p {"objective":"balanced"}',
      'ada policy.set * policy/p {"objective":"cheapest"}',
      'policy-set * policy/p {"objective":"balanced","by":"ada"}',
      'policy-set * policy/p {"objective":"cheapest","by":"ada"}',
    ])
  })

  test('may change what the built-in one says', async () => {
    const deps = service()
    await setPolicy(deps, ADMIN, { name: 'default', settings: { spot: 'allowed' } })
    expect(await listPolicies(deps)).toMatchObject([{ name: 'default', origin: 'api' }])
    await putWorkload(deps, { name: 'a', more: 'policy: default' })
    await removePolicy(deps, ADMIN, 'default')
    expect(await listPolicies(deps)).toMatchObject([{ name: 'default', origin: 'built-in' }])
    expect(platformOf(undefined, await readPlatform(deps.store)).defaultPolicy).toBe(DEFAULT_POLICY.name)
  })

  test.each([
    ['production', {}, ['NAME_OF_FILE: The policy production is defined in the infrastructure file.']],
    ['p', { spot: 'maybe' }, ['VALUE_INVALID: `maybe` is not one of never, asked, allowed, only.']],
    ['p', { wieghts: {}, max_price: 1 }, ['KEY_UNKNOWN: No such key here.', 'KEY_UNKNOWN: No such key here.']],
    ['p', { unknown: { accept: ['drivr'] } }, ['VALUE_INVALID: `drivr` is not known here.']],
  ])('are refused when they make no sense: %s %j', async (name, settings, problems) => {
    const deps = service({ config: CONFIG })
    expect(await refusalOf(setPolicy(deps, ADMIN, { name, settings }))).toEqual(problems)
    expect(await deps.store.head()).toBe(0)
  })

  test('stay while a workload names them', async () => {
    const deps = service({ config: CONFIG })
    await setPolicy(deps, ADMIN, { name: 'cheap', settings: {} })
    await putWorkload(deps, { name: 'a', more: 'policy: cheap', want: 'stopped' })
    await putWorkload(deps, { name: 'b', more: 'policy: cheap', want: 'removed' })
    expect(await refusalOf(removePolicy(deps, ADMIN, 'cheap'))).toEqual([
      'POLICY_IN_USE: The policy cheap is used by default/a.',
    ])
    await putWorkload(deps, { name: 'a' })
    await removePolicy(deps, ADMIN, 'cheap')
    expect(await refusalOf(removePolicy(deps, ADMIN, 'cheap'))).toEqual(['NOT_FOUND: There is no policy cheap.'])
    expect(await refusalOf(removePolicy(deps, ADMIN, 'default'))).toEqual([
      'NOT_FOUND: The policy default is built in and cannot be removed.',
    ])
    expect(await refusalOf(removePolicy(deps, ADMIN, 'production'))).toEqual([
      'NAME_OF_FILE: The policy production is defined in the infrastructure file.',
    ])
  })
})

describe('projects', () => {
  test('are those with limits, those with workloads, and the default one', async () => {
    const deps = service({ config: CONFIG })
    await setProject(deps, ADMIN, { name: 'web', limits: { gpusMax: 8, usdPerHourMax: 1.5, workloadsMax: undefined } })
    await putWorkload(deps, { name: 'a', project: 'lab' })
    await putWorkload(deps, { name: 'b', project: 'lab' })
    await putWorkload(deps, { name: 'a', project: 'lab-two' })
    expect((await listProjects(deps)).map(({ name, gpus_max: gpusMax }) => [name, gpusMax])).toEqual([
      ['default', undefined],
      ['lab', undefined],
      ['lab-two', undefined],
      ['research', 4],
      ['web', 8],
    ])
    expect(await trailOf(deps)).toContain(
      'ada project.set * project/web {"gpus_max":8,"usd_per_hour_max":1.5,"workloads_max":null}',
    )
  })

  test('have their limits in one place', async () => {
    const deps = service({ config: CONFIG })
    const limits = { gpusMax: 8, usdPerHourMax: undefined, workloadsMax: undefined }
    expect(await refusalOf(setProject(deps, ADMIN, { name: 'research', limits }))).toEqual([
      'NAME_OF_FILE: The rules of project research are defined in the infrastructure file.',
    ])
    await setProject(deps, ADMIN, { name: 'default', limits })
    await setProject(deps, ADMIN, { name: 'default', limits: { ...limits, gpusMax: 9 } })
    expect((await listProjects(deps))[0]).toMatchObject({ name: 'default', gpus_max: 9 })
  })

  test('of the file count when the file came later', async () => {
    const deps = service()
    const limits = { gpusMax: 8, usdPerHourMax: undefined, workloadsMax: undefined }
    await setProject(deps, ADMIN, { name: 'research', limits })
    const config = service({ config: CONFIG }).config()
    const { projects } = platformOf(config, await readPlatform(deps.store))
    expect(projects.map(({ name, gpusMax }) => [name, gpusMax])).toEqual([['research', 4]])
  })
})
