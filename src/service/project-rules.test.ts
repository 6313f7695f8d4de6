import { describe, expect, test } from 'vitest'
import type { Principal } from './deps.ts'
import { ADMIN, service, putSlot, putWorkload, refusalOf, type TestDeps } from './platform.suite.ts'
import { outOfRules } from './project-rules.ts'
import { listProjects, setProject } from './projects.ts'
import { launch, pushTemplate } from './templates.ts'
import { seeWorkload } from './workload/views.ts'
import { applyManifest } from './workload/workloads.ts'

const CONFIG = `
default_policy: everywhere
providers:
  here: { kind: local }
  toy: { kind: sim }
policies:
  everywhere: {}
  at-home: { providers: { allow: [here] } }
  pretend: { providers: { allow: [toy] } }
projects:
  alpha: { policies: [pretend] }
  beta: { providers: [toy] }
  gamma: { processes: true }
`
const WRITER: Principal = { name: 'wim', role: 'writer', projects: ['alpha', 'beta', 'gamma', 'delta'] }
const NO_LIMITS = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }

function world({ unwalled = [] as readonly string[] } = {}): TestDeps {
  const deps = service({ config: CONFIG })
  return { ...deps, providers: { ...deps.providers, unwalled: () => unwalled } }
}

const textOf = (policy: string | undefined): string =>
  `berth: v1\nkind: job\nname: work\nimage: a\nresources: { cpu: 1 }\n${policy === undefined ? '' : `policy: ${policy}\n`}`

const apply = (deps: TestDeps, project: string, policy?: string) =>
  applyManifest(deps, WRITER, {
    project,
    text: textOf(policy),
    file: 'f',
    pinned: undefined,
    once: undefined,
    ifTag: undefined,
  })

describe('what a project may use, when something is applied', () => {
  test.each([
    ['alpha', 'at-home', 'POLICY_NOT_FOR_PROJECT: Project alpha may not use the policy at-home.'],
    ['alpha', undefined, 'POLICY_NOT_FOR_PROJECT: Project alpha may not use the policy everywhere.'],
    ['alpha', 'default', 'POLICY_NOT_FOR_PROJECT: Project alpha may not use the policy default.'],
    [
      'beta',
      'at-home',
      'NO_PROVIDER_FOR_PROJECT: Project beta may not use here, and the policy allows no other provider.',
    ],
  ])('%s under the policy %s is refused', async (project, policy, refusal) => {
    const deps = world()
    expect(await refusalOf(apply(deps, project, policy))).toEqual([refusal])
    expect(await deps.store.get('workload', `${project}/work`)).toBeUndefined()
  })

  test.each([
    ['alpha', 'pretend'],
    ['beta', 'pretend'],
    ['beta', undefined],
    ['gamma', 'at-home'],
    ['delta', 'at-home'],
  ])('%s under the policy %s is taken', async (project, policy) => {
    expect(await refusalOf(apply(world(), project, policy))).toEqual([])
  })

  test('a launch goes the same way', async () => {
    const deps = world()
    const text = `parameters: { which: { type: text } }\n${textOf('"${which}"')}`
    await pushTemplate(deps, WRITER, { at: { project: 'alpha', name: 'any' }, text })
    const ask = { project: 'alpha', template: 'any', version: undefined, name: undefined }
    const terms = { once: undefined, ifTag: undefined }
    expect(await refusalOf(launch(deps, WRITER, { ...ask, ...terms, set: { which: 'at-home' } }))).toEqual([
      'POLICY_NOT_FOR_PROJECT: Project alpha may not use the policy at-home.',
    ])
  })

  test('programs run as Berth’s own user only where an administrator has named the project', async () => {
    const deps = world({ unwalled: ['here'] })
    expect(await refusalOf(apply(deps, 'delta', 'at-home'))).toEqual([
      'NO_PROVIDER_FOR_PROJECT: Programs on here run as Berth’s own user, and project delta has no permission for that.',
    ])
    expect(await refusalOf(apply(deps, 'gamma', 'at-home'))).toEqual([])
    // Where the policy leaves another provider, work goes there.
    expect(await refusalOf(apply(deps, 'delta', 'everywhere'))).toEqual([])
    await setProject(deps, ADMIN, { name: 'delta', limits: { ...NO_LIMITS, processes: true } })
    expect(await refusalOf(apply(deps, 'delta', 'at-home'))).toEqual([])
  })
})

describe('the rules of a project', () => {
  test('are kept with its limits, and shown with what it uses', async () => {
    const deps = world()
    const limits = { ...NO_LIMITS, gpusMax: 4, policies: ['at-home'], providers: ['here'], processes: true }
    await setProject(deps, ADMIN, { name: 'delta', limits })
    await putWorkload(deps, { project: 'delta', name: 'work' })
    expect((await listProjects(deps)).find(({ name }) => name === 'delta')).toEqual({
      name: 'delta',
      gpus_max: 4,
      policies: ['at-home'],
      providers: ['here'],
      processes: true,
      used: { gpus: 0, usd_per_hour: 0, workloads: 1 },
    })
    expect((await listProjects(deps, (name) => name === 'beta')).map(({ name }) => name)).toEqual(['beta'])
  })

  test.each([
    [{ policies: ['at-hom'] }, 'NOT_FOUND: There is no policy at-hom.'],
    [{ providers: ['there'] }, 'NOT_FOUND: There is no provider there.'],
  ])('that name what is not there are refused', async (rules, refusal) => {
    const limits = { ...NO_LIMITS, ...rules }
    expect(await refusalOf(setProject(world(), ADMIN, { name: 'delta', limits }))).toEqual([refusal])
  })

  test('that were narrowed are reported for what still runs', async () => {
    const deps = world()
    await putWorkload(deps, { project: 'beta', name: 'work' })
    await putSlot(deps, { key: 'beta/work/0', provider: 'here', phase: 'running' })
    const { view } = await seeWorkload(deps, { project: 'beta', name: 'work' }).catch(() => ({ view: undefined }))
    const slots = [{ phase: 'running' as const, provider: 'here' }]
    const seen = { project: 'beta', policy: undefined, slots } as unknown as NonNullable<typeof view>
    expect(await outOfRules(deps, seen)).toEqual([
      'Project beta may no longer use here: what runs there keeps running, but nothing new is placed there.',
    ])
    expect(await outOfRules(deps, { ...seen, project: 'alpha' })).toEqual([
      'Project alpha may no longer use the policy everywhere: what runs keeps running, but nothing new is placed.',
    ])
    expect(await outOfRules(deps, { ...seen, project: 'gamma' })).toEqual([])
  })
})
