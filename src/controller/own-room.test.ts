import { describe, expect, test } from 'vitest'
import { readFleets } from '../providers/sim/fleets.ts'
import { groupsWanted } from '../core/life/slots.ts'
import { recordOf, workloadOf } from '../core/life/keep.suite.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import { Planner } from './planner.ts'
import { ProviderGates } from './provider-gates.ts'
import { Story } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nkind: service\nresources: { gpu: { count: 4 } }\n'
const NEXT = SERVICE.replace('app:1', 'app:2')
const JOB = 'berth: v1\nname: demo\nimage: acme/app:1\nkind: job\nresources: { gpu: { count: 4 } }\n'

/** A leader and one cloud, with nothing but one machine of one's own that has four cards. */
function begin() {
  const story = new Story()
  const fleets = readFleets([{ name: 'hall', gpu: { model: 'l4', count: 4 } }], [])
  const north = story.cloud('north', { units: 0, fleets })
  story.controller('one')
  return { story, north }
}

async function versions(story: Story): Promise<readonly string[]> {
  const rows = await story.store.list('placement', { limit: 1000 })
  return rows
    .map(({ body }) => body)
    .filter(({ phase }) => phase !== 'gone')
    .map(({ order, phase }) => `${order.tag.workload} ${order.image} ${phase}`)
}

describe('work that fills its only machine', () => {
  test.each([
    ['a service', SERVICE, NEXT],
    ['a job', JOB, JOB.replace('app:1', 'app:2')],
  ])('makes way for its new version: %s', async (_, first, next) => {
    const { story } = begin()
    await story.apply(first)
    await story.pass(20)
    expect(await versions(story)).toEqual(['demo acme/app:1 running'])
    await story.apply(next, { generation: 2 })
    await story.pass(40)
    expect(await versions(story)).toEqual(['demo acme/app:2 running'])
    expect(await story.kinds()).toContain('replaced')
  })

  test('stays where the new version needs more than there is', async () => {
    const { story } = begin()
    await story.apply(SERVICE)
    await story.pass(20)
    await story.apply(NEXT.replace('count: 4', 'count: 5'), { generation: 2 })
    await story.pass(300)
    expect(await versions(story)).toEqual(['demo acme/app:1 running'])
    expect((await story.status())?.waiting).toMatchObject({ code: expect.any(String) })
  })

  test('loses its room to nobody who waits for it, however long', async () => {
    const { story } = begin()
    await story.apply(SERVICE)
    await story.pass(20)
    // Its uid says that it was there first.
    await story.apply(SERVICE.replace('demo', 'zoe'), { name: 'zoe', uid: 'uid-a' })
    await story.pass(120)
    await story.apply(NEXT, { generation: 2 })
    await story.pass(120)
    expect(await versions(story)).toEqual(['demo acme/app:2 running'])
    await story.apply(NEXT, { generation: 3, want: 'stopped' })
    await story.pass(120)
    expect(await versions(story)).toEqual(['zoe acme/app:1 running'])
  })
})

/** What a plan says of a new version of what runs now. */
async function plannedNext(story: Story, text: string): Promise<PlanReport> {
  const deps = story.depsOf('planner')
  const rows = (await story.store.list('placement', { limit: 1000 })).map(({ body }) => body)
  const workload = workloadOf(text, { uid: 'uid-demo', generation: 2 })
  const record = recordOf(
    workload,
    rows.filter(({ order }) => order.tag.uid === 'uid-demo'),
  )
  const plan = new Planner(deps, new ProviderGates(deps)).plan('default', [
    { record, groups: [...groupsWanted(workload).values()] },
  ])
  await story.pass(1)
  return plan
}

describe('a plan for a new version', () => {
  test('says that the old one stops first where there is no room for both, and has its room', async () => {
    const { story } = begin()
    await story.apply(SERVICE)
    await story.pass(20)
    const plan = await plannedNext(story, NEXT)
    expect(plan).toMatchObject({ fits: true, stops_first: { slots: ['0'] } })
    expect(plan.stops_first?.why).toBe('hall-0 is full: demo runs there, 4 GPUs short')
    expect(plan.chosen[0]?.own).toMatchObject({ node: 'hall-0', cards: [0, 1, 2, 3] })
  })

  test('says so where the limits of the project forbid both', async () => {
    const { story } = begin()
    await story.apply(SERVICE.replace('count: 4', 'count: 2'))
    await story.pass(20)
    expect(await plannedNext(story, NEXT.replace('count: 4', 'count: 2'))).not.toHaveProperty('stops_first')
    const limits = { gpusMax: 2, usdPerHourMax: undefined, workloadsMax: undefined }
    await story.store.commit({ writes: [{ kind: 'project', key: 'default', body: limits }] })
    const { fits, stops_first: stops } = await plannedNext(story, NEXT.replace('count: 4', 'count: 2'))
    expect([fits, stops?.slots]).toEqual([true, ['0']])
    expect(stops?.why).toContain('project default may use 2 GPUs and uses 2')
  })

  test('says why a job never has two', async () => {
    const { story } = begin()
    await story.apply(JOB.replace('count: 4', 'count: 1'))
    await story.pass(20)
    const { stops_first: stops } = await plannedNext(
      story,
      JOB.replace('count: 4', 'count: 1').replace('app:1', 'app:2'),
    )
    expect(stops).toEqual({ slots: ['0'], why: 'two at a time could do the same work' })
  })

  test('has no place where the new version needs more than there is', async () => {
    const { story } = begin()
    await story.apply(SERVICE)
    await story.pass(20)
    const plan = await plannedNext(story, NEXT.replace('count: 4', 'count: 5'))
    expect(plan.fits).toBe(false)
    expect(plan).not.toHaveProperty('stops_first')
  })
})
