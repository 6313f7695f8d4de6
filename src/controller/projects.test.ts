import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import type { Project } from '../core/life/rows.ts'
import { count, Story } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

/** North is the cheaper one. */
function begin() {
  const story = new Story()
  const [north, south] = [story.cloud('north'), story.cloud('south', { factor: 2 })]
  return { story, north, south, ...story.controller('one') }
}

async function rules(story: Story, change: Partial<Project>): Promise<void> {
  const body = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined, ...change }
  await story.store.commit({ writes: [{ kind: 'project', key: 'default', body }] })
}

describe('providers of a project', () => {
  test('are the only ones that its work is placed on', async () => {
    const { story, north } = begin()
    await rules(story, { providers: ['south'] })
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running south'])
    expect(count(north, 'launch')).toBe(0)
  })

  test('that are narrowed leave alone what runs, and nothing new goes there', async () => {
    const { story } = begin()
    await story.apply(`${SERVICE}replicas: 2\n`)
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running north', 'demo/1 running north'])
    const before = story.billed().map(({ id }) => id)
    await rules(story, { providers: ['south'] })
    await story.pass(60)
    expect(story.billed().map(({ id }) => id)).toEqual(before)
    await story.apply(SERVICE, { name: 'next' })
    await story.pass(10)
    expect(await story.standing()).toContain('next/0 running south')
  })

  test('that leave none are a reason to wait, which goes when they are widened', async () => {
    const { story, north } = begin()
    await rules(story, { providers: [] })
    await story.apply(SERVICE)
    await story.pass(30)
    expect(await story.status()).toMatchObject({ waiting: { code: 'PROVIDER_NOT_FOR_PROJECT' } })
    expect(count(north, 'launch')).toBe(0)
    await rules(story, {})
    await story.pass(5)
    expect(await story.standing()).toEqual(['demo/0 running north'])
  })

  test('of the infrastructure file count before those of the API', async () => {
    const { story } = begin()
    await rules(story, {})
    const limits = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }
    const projects = [{ name: 'default', ...limits, providers: ['south'] }]
    story.config = { providers: [], policies: [], defaultPolicy: 'default', projects }
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running south'])
  })
})

describe('a policy that is not for the project', () => {
  test('places nothing, also when it was when the work was applied', async () => {
    const { story, north } = begin()
    const house = { ...DEFAULT_POLICY, name: 'house' }
    story.config = { providers: [], policies: [house], defaultPolicy: 'default', projects: [] }
    await rules(story, { policies: ['default'] })
    await story.apply(`${SERVICE}policy: house\n`)
    await story.pass(30)
    expect(await story.status()).toMatchObject({
      waiting: { code: 'POLICY_NOT_FOR_PROJECT', text: 'Project default may not use the policy house' },
    })
    expect(count(north, 'launch')).toBe(0)
    await rules(story, { policies: ['default', 'house'] })
    await story.pass(60)
    expect(await story.standing()).toEqual(['demo/0 running north'])
  })
})

describe('programs that would run as Berth’s own user', () => {
  test('go elsewhere, unless an administrator has named the project', async () => {
    const { story } = begin()
    story.state('north', 'open', unwalled(story.provider('north')))
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running south'])
    await rules(story, { processes: true })
    await story.apply(SERVICE, { name: 'next' })
    await story.pass(10)
    expect(await story.standing()).toContain('next/0 running north')
  })

  test('wait where there is no elsewhere, and say what an administrator can do', async () => {
    const { story } = begin()
    for (const name of ['north', 'south']) story.state(name, 'open', unwalled(story.provider(name)))
    await story.apply(SERVICE)
    await story.pass(10)
    const waiting = (await story.store.get('status', 'default/demo'))?.body.waiting
    expect(waiting?.code).toBe('PROCESSES_NOT_FOR_PROJECT')
    expect(waiting?.text).toContain('berth project set default --processes')
  })

  test('run for every project where every caller is an administrator', async () => {
    const { story } = begin()
    story.state('north', 'open', unwalled(story.provider('north')))
    story.isAlone = true
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running north'])
  })
})

function unwalled<T extends object>(provider: T): T & { readonly unwalled: true } {
  return Object.assign(provider, { unwalled: true as const })
}
