import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import { routeOf } from '../core/route/route.ts'
import { Story, type StoryCloud } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

/** A cheap cloud that runs the work, and others. */
async function begun(...others: readonly string[]) {
  const story = new Story()
  const north = story.cloud('north', { factor: 0.5 })
  for (const name of others) story.cloud(name)
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(15)
  return { story, north }
}

test('what a silent provider runs is served elsewhere within a minute, and is ended when that answers again', async () => {
  const { story, north } = await begun('south')
  expect(await story.standing()).toEqual(['demo/0 running north'])
  north.isCut = true
  await story.pass(60)
  expect(await story.standing()).toEqual(['demo/0 stopping north', 'demo/0.b running south'])
  // It is billed and counted until its end is proven.
  await story.pass(3600)
  expect(story.billed()).toHaveLength(2)
  north.isCut = false
  await story.pass(60)
  expect(await story.standing()).toEqual(['demo/0.b running south'])
  expect(story.billed()).toHaveLength(1)
})

test('a short silence moves nothing', async () => {
  const { story, north } = await begun('south')
  north.isCut = true
  await story.pass(20)
  north.isCut = false
  await story.pass(120)
  expect(await story.standing()).toEqual(['demo/0 running north'])
  expect(story.billed()).toHaveLength(1)
})

test('a new leader waits for the grace again', async () => {
  const { story, north } = await begun('south')
  north.isCut = true
  await story.pass(25)
  story.controller('two')
  await story.pass(5)
  expect(await story.standing()).toEqual(['demo/0 running north'])
})

test('where there is no room elsewhere, it waits with a reason, and waits no more when the provider is back', async () => {
  const { story, north } = await begun()
  north.isCut = true
  await story.pass(90)
  expect(await story.standing()).toEqual(['demo/0 running north'])
  expect((await story.status())?.waiting?.code).toBeDefined()
  north.isCut = false
  await story.pass(60)
  expect((await story.status())?.waiting).toBeUndefined()
})

test('without its policy it cannot move, and says so; it moves once the policy is back', async () => {
  const { story, north } = await begun('south')
  const none = { providers: [], policies: [], defaultPolicy: 'default', projects: [] }
  const house = { ...none, policies: [{ ...DEFAULT_POLICY, name: 'house' }] }
  story.config = house
  await story.apply(`${SERVICE}policy: house\n`)
  await story.pass(15)
  story.config = none
  north.isCut = true
  await story.pass(60)
  expect(await story.standing()).toEqual(['demo/0 running north'])
  expect((await story.status())?.waiting?.code).toBe('POLICY_UNKNOWN')
  story.config = house
  await story.pass(60)
  expect(await story.standing()).toContain('demo/0.b running south')
})

/** Which of these services have a route to what runs at a provider. */
async function routedTo(story: Story, provider: string, names: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of names) {
    const workload = (await story.store.get('workload', `default/${name}`))?.body
    const rows = await story.store.list('placement', { prefix: `default/${name}/`, limit: 10 })
    const placements = rows.map(({ body }) => ({ ...body, ports: { http: '10.0.0.1:80' } }))
    const replicas = workload === undefined ? [] : (routeOf(workload, placements)?.replicas ?? [])
    if (replicas.some((one) => one.provider === provider && one.state !== 'leaving')) found.push(name)
  }
  return found
}

/** The most calls, other than looks, that a cloud got in any ten seconds. */
function mostCalls({ asked }: StoryCloud): number {
  const times = asked.filter(({ ask }) => ask !== 'list' && ask !== 'offers').map(({ atMs }) => atMs)
  return Math.max(...times.map((fromMs) => times.filter((ms) => ms >= fromMs && ms < fromMs + 10_000).length))
}

test('200 services leave a provider that is gone for an hour within a minute, and nothing of them stays', async () => {
  const story = new Story()
  const can = { callsPerSecond: 20, burst: 20 }
  const north = story.cloud('north', { factor: 0.5, units: 1000, can })
  // There is room for 150 of them.
  const south = story.cloud('south', { units: 150, quota: 150, can })
  story.controller('one')
  const names = Array.from({ length: 200 }, (_, index) => `web-${index}`)
  for (const name of names)
    await story.apply(`${SERVICE}ports: [{ name: http, port: 80 }]\n`.replace('demo', name), { name, uid: `u-${name}` })
  await story.pass(120)
  expect(await routedTo(story, 'north', names)).toHaveLength(200)
  north.isCut = true
  await story.pass(60)
  const placed = (await story.standing()).filter((text) => text.includes('.b '))
  expect(placed).toHaveLength(150)
  const waiting = []
  for (const name of names) waiting.push((await story.status(name))?.waiting?.code)
  expect(waiting.filter((code) => code !== undefined)).toHaveLength(50)
  await story.pass(60)
  expect(await routedTo(story, 'north', names)).toHaveLength(50)
  expect(mostCalls(south)).toBeLessThanOrEqual(20 + 10 * 20)
  await story.pass(3600)
  expect(await routedTo(story, 'north', names)).toHaveLength(50)
  north.isCut = false
  await story.pass(300)
  // Those that found no place elsewhere have run on; the others are ended, and each has its bill.
  expect(story.billed().filter(({ id }) => id.includes('north'))).toHaveLength(50)
  expect(await routedTo(story, 'north', names)).toHaveLength(50)
  const bills = (await story.store.list('bill', { limit: 1000 })).map(({ body }) => body)
  const outages = bills.filter(({ why }) => why === 'outage')
  expect(outages).toHaveLength(150)
  expect(outages.every(({ fromMs, toMs }) => toMs - fromMs > 3_600_000)).toBe(true)
})
