import { describe, expect, test } from 'vitest'
import { allToPlace, workloadOf } from '../core/life/keep.suite.ts'
import { rowCount } from '../core/offer/snapshot.ts'
import { ProviderGates } from './provider-gates.ts'
import { Planner } from './planner.ts'
import { Story, count } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

/** A planner that asks the clouds of a story, beside the leader. */
function plannerIn(story: Story): Planner {
  const deps = story.depsOf('planner')
  return new Planner(deps, new ProviderGates(deps))
}

/** Asks, and lets the time pass that an answer takes. */
async function planned(story: Story, planner: Planner, text = HEAD) {
  const plan = planner.plan('default', [allToPlace(workloadOf(text))])
  await story.pass(1)
  return plan
}

describe('a planner', () => {
  test('says what a manifest would get, and binds nothing', async () => {
    const story = new Story()
    const north = story.cloud('north')
    const report = await planned(story, plannerIn(story))
    expect(report.fits).toBe(true)
    expect([count(north, 'launch'), await story.standing(), await story.store.head()]).toEqual([0, [], 0])
  })

  test('asks a provider again only when its word is old', async () => {
    const story = new Story()
    const north = story.cloud('north')
    const planner = plannerIn(story)
    for (let turn = 0; turn < 10; turn++) await planned(story, planner)
    expect(count(north, 'offers')).toBe(1)
    await story.pass(60)
    await planned(story, planner)
    expect(count(north, 'offers')).toBe(2)
    expect(planner.offersOf('north')).toBe(1)
  })

  test('asks again also when the clock was set back meanwhile', async () => {
    const story = new Story()
    const north = story.cloud('north')
    const { deps, process } = story.depsAnd('planner')
    const planner = new Planner(deps, new ProviderGates(deps))
    await planned(story, planner)
    process.jump(-400 * 24 * 3_600_000)
    await story.pass(60)
    await planned(story, planner)
    expect(count(north, 'offers')).toBe(2)
  })

  test('shows what a provider had last when it does not answer', async () => {
    const story = new Story()
    const north = story.cloud('north')
    const planner = plannerIn(story)
    await planned(story, planner)
    await story.pass(61)
    north.next.set('offers', ['unreachable'])
    expect((await planned(story, planner)).fits).toBe(true)
  })

  test('knows of refusals and of what was reserved meanwhile', async () => {
    const story = new Story()
    story.cloud('north', { units: 1 })
    const planner = plannerIn(story)
    expect((await planned(story, planner)).fits).toBe(true)
    story.controller('one')
    await story.apply(HEAD)
    await story.pass(5)
    expect((await planned(story, planner)).fits).toBe(false)
  })

  test('leaves out providers that take no work', async () => {
    const story = new Story()
    story.cloud('north')
    story.cloud('south')
    const planner = plannerIn(story)
    story.state('north', 'cordoned')
    const snapshot = planner.snapshot()
    await story.pass(1)
    expect(rowCount(await snapshot)).toBe(1)
  })

  test('promises no more than the quota that its provider knows, and neither does the leader', async () => {
    const story = new Story()
    const north = story.cloud('north', { quota: 1 })
    const planner = plannerIn(story)
    const two = `${HEAD}replicas: 2\n`
    expect((await planned(story, planner, two)).asks).toMatchObject([{ replicas: 2, placed: 1 }])
    story.controller('one')
    await story.apply(two)
    await story.pass(30)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect([count(north, 'launch'), (await story.kinds()).includes('refused')]).toEqual([1, false])
    expect((await planned(story, planner)).fits).toBe(false)
  })

  test('passes by what called the workload wrong, as long as another place would do', async () => {
    const story = new Story()
    story.cloud('north', { factor: 0.5 })
    story.cloud('south')
    const planner = plannerIn(story)
    const placeBeside = async (...wrong: readonly string[]) => {
      const refusedBy = { generation: 1, places: wrong.map((at) => ({ at, why: 'no such program' })) }
      const plan = planner.plan('default', [allToPlace(workloadOf(HEAD), { refusedBy })])
      await story.pass(1)
      return (await plan).chosen.map(({ offer }) => offer.provider)
    }
    expect(await placeBeside()).toEqual(['north'])
    expect(await placeBeside('north')).toEqual(['south'])
    expect(await placeBeside('north', 'south')).toEqual(['north'])
  })

  test('says which policy is not there', async () => {
    const story = new Story()
    story.cloud('north')
    const asked = plannerIn(story).plan('default', [allToPlace(workloadOf(`${HEAD}policy: nowhere\n`))])
    await expect(asked).rejects.toThrow('nowhere')
  })
})
