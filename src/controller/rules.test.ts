import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import { sized } from '../core/base/laws.suite.ts'
import { Story, count } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\n'
const SERVICE = `${HEAD}kind: service\n`
const OFFER = 'north/r1/small'

function job(more: string): string {
  return `${HEAD}kind: job\n${more}`
}

/** A replica of a service on several machines. */
function cluster(nodes: number, image = 'acme/app:1'): string {
  return `${SERVICE.replace('acme/app:1', image)}nodes: ${nodes}\nframework: ray\ncommand: [serve, run, app:main]\n`
}

function begin(traits: Parameters<Story['cloud']>[1] = {}) {
  const story = new Story()
  const north = story.cloud('north', traits)
  const leader = story.controller('one')
  return { story, north, ...leader }
}

async function limit(
  story: Story,
  change: { readonly gpusMax?: number; readonly usdPerHourMax?: number },
): Promise<void> {
  const body = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined, ...change }
  await story.store.commit({ writes: [{ kind: 'project', key: 'default', body }] })
}

describe('limits of a project', () => {
  test('hold when many workloads come at once', async () => {
    const { story } = begin()
    await limit(story, { gpusMax: 3 })
    for (let index = 0; index < 8; index++) await story.apply(SERVICE, { name: `w${index}` })
    await story.pass(30)
    expect(story.billed()).toHaveLength(3)
    expect(await story.status('w7')).toMatchObject({ waiting: { code: 'QUOTA_PROJECT' } })
  })

  test('count an unknown outcome until it is proven to be nothing', async () => {
    const { story, north } = begin()
    await limit(story, { gpusMax: 1 })
    await story.pass(3)
    north.next.set('launch', ['late'])
    await story.apply(SERVICE)
    await story.pass(2)
    await story.apply(SERVICE, { name: 'second' })
    await story.pass(20)
    expect((await story.placement())?.phase).toBe('unknown')
    expect(await story.status('second')).toMatchObject({ waiting: { code: 'QUOTA_PROJECT' } })
    await story.pass(120)
    expect(story.billed()).toHaveLength(1)
  })

  test('that are raised let the next one begin at once', async () => {
    const { story } = begin()
    await limit(story, { usdPerHourMax: 0.8 })
    await story.apply(SERVICE)
    await story.apply(SERVICE, { name: 'second' })
    await story.pass(10)
    expect(await story.status('second')).toMatchObject({ waiting: { code: 'BUDGET_PROJECT' } })
    await limit(story, { usdPerHourMax: 1.6 })
    await story.pass(5)
    expect(story.billed()).toHaveLength(2)
  })
})

describe('offers that are counted', () => {
  test('is not emptied by an intent that has to wait', async () => {
    const { story } = begin({ units: 2 })
    await story.pass(3)
    await story.apply(`${SERVICE}secrets: [TOKEN]\n`)
    await story.pass(40)
    expect(await story.placement()).toMatchObject({ phase: 'reserved', tries: 3 })
    expect((await story.status())?.waiting?.code).toBe('SECRET_MISSING')
    await story.apply(SERVICE, { name: 'second' })
    await story.pass(3)
    expect((await story.status('second'))?.waiting).toBeUndefined()
    expect(await story.placement('0', 'second')).toBeDefined()
  })

  test('is never sold twice, however many ask at once', async () => {
    const { story, north } = begin({ units: 3 })
    for (let index = 0; index < 9; index++) await story.apply(SERVICE, { name: `w${index}` })
    await story.pass(30)
    expect([story.billed().length, count(north, 'launch')]).toEqual([3, 3])
  })

  test('has room again when something left', async () => {
    const { story } = begin({ units: 1 })
    const first = await story.apply(SERVICE)
    await story.pass(5)
    await story.apply(SERVICE, { name: 'second' })
    await story.apply(SERVICE, { ...first, want: 'removed', generation: 2 })
    await story.pass(100)
    expect(await story.standing()).toEqual(['second/0 running north'])
  })
})

describe('a policy that is not there', () => {
  test('is waited for, and the work goes on once it is', async () => {
    const { story, north } = begin()
    await story.apply(`${SERVICE}policy: house\n`)
    await story.pass(30)
    expect(await story.status()).toMatchObject({
      waiting: { code: 'POLICY_UNKNOWN', text: 'there is no policy called house' },
    })
    expect(count(north, 'launch')).toBe(0)
    const house = { ...DEFAULT_POLICY, name: 'house' }
    story.config = { providers: [], policies: [house], defaultPolicy: 'house', projects: [] }
    await story.pass(60)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect((await story.status())?.waiting).toBeUndefined()
  })
})

describe('an outage', () => {
  test('of hours, or a day, restarts nothing that runs', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    const [before] = story.billed()
    for (const ask of ['list', 'offers', 'describe'] as const) {
      north.next.set(
        ask,
        Array.from({ length: 8000 }, () => 'unreachable' as const),
      )
    }
    await story.pass(sized({ quick: 14_400, whole: 86_400 }))
    north.next.clear()
    await story.pass(120)
    expect(story.billed().map(({ id }) => id)).toEqual([before?.id])
    expect([count(north, 'launch'), count(north, 'stop')]).toEqual([1, 0])
    expect(await story.placement()).toMatchObject({ phase: 'running', order: { tag: { epoch: 1 } } })
  })

  test('keeps a provider that is down out of decisions', async () => {
    const { story, north } = begin({ factor: 0.5 })
    story.cloud('south')
    await story.pass(3)
    for (const ask of ['list', 'offers', 'launch'] as const) {
      north.next.set(
        ask,
        Array.from({ length: 500 }, () => 'unreachable' as const),
      )
    }
    await story.pass(120)
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running south'])
  })

  test('is survived by lists that lie: one that is hollow ends nothing', async () => {
    const { story, north } = begin()
    await story.apply(`${SERVICE}replicas: 4\n`)
    await story.pass(90)
    north.next.set('list', ['hollow', 'hollow', 'partial', 'hollow', 'garbled'])
    await story.pass(300)
    expect([story.billed().length, count(north, 'launch'), count(north, 'stop')]).toEqual([4, 4, 0])
  })
})

describe('a gang', () => {
  test('is whole or not there', async () => {
    const { story } = begin({ units: 2 })
    await story.apply(job('nodes: 3\n'))
    await story.pass(60)
    expect([story.billed(), await story.standing()]).toEqual([[], []])
    expect((await story.status())?.waiting?.code).toEqual(expect.any(String))
  })

  test.each([
    ['a job', job('nodes: 3\n')],
    ['a replica of a service', cluster(3)],
  ])('that is %s and loses a machine starts again whole', async (_, text) => {
    const { story, north } = begin({ can: { ray: true } })
    await story.apply(text)
    await story.pass(10)
    const [one] = story.billed()
    north.cloud.end(one?.id ?? '', 'machine', { nowMs: story.loop.nowMs })
    await story.pass(60)
    const epochs = await Promise.all(['0.0', '0.1', '0.2'].map((slot) => story.placement(slot)))
    expect(epochs.map((placement) => placement?.order.tag.epoch)).toEqual([2, 2, 2])
    expect(story.billed()).toHaveLength(3)
  })

  test('that is made smaller runs again, once, and stays', async () => {
    const { story, north } = begin()
    const workload = await story.apply(job('nodes: 3\n'))
    await story.pass(10)
    await story.apply(job('nodes: 2\n'), { uid: workload.uid, generation: 2 })
    await story.pass(120)
    expect(story.billed()).toHaveLength(2)
    const launches = count(north, 'launch')
    await story.pass(1200)
    expect(count(north, 'launch') - launches).toBe(0)
  })

  test('that is a replica of a service stops whole before its successor starts', async () => {
    const { story, north } = begin({ can: { ray: true } })
    const workload = await story.apply(cluster(2))
    await story.pass(10)
    await story.apply(cluster(2, 'acme/app:2'), { uid: workload.uid, generation: 2 })
    await story.pass(120)
    const now = await Promise.all(['0.0', '0.1'].map((slot) => story.placement(slot)))
    expect(now.map((placement) => placement?.order)).toMatchObject([
      { image: 'acme/app:2', framework: 'ray-serve' },
      { image: 'acme/app:2', framework: 'ray-serve' },
    ])
    expect([story.billed().length, count(north, 'launch')]).toEqual([2, 4])
  })

  test('finishes when all of it has', async () => {
    const { story, north } = begin()
    await story.apply(job('nodes: 2\nenv: { SIM_SECONDS: "20" }\n'))
    await story.pass(120)
    expect(await story.status()).toMatchObject({ end: { state: 'done' }, completed: [0] })
    expect([story.billed().length, count(north, 'launch')]).toEqual([0, 2])
  })
})

describe('a job', () => {
  test('resumes from its last checkpoint after its machine failed', async () => {
    const { story, north } = begin()
    const more = 'checkpoint: { path: /save, every: 10s }\nenv: { SIM_SECONDS: "9000", SIM_CHECKPOINT_SECONDS: "10" }\n'
    await story.apply(job(more))
    await story.pass(100)
    const [one] = story.billed()
    north.cloud.end(one?.id ?? '', 'machine', { nowMs: story.loop.nowMs })
    await story.pass(60)
    const placement = await story.placement()
    expect(placement?.order.tag.epoch).toBe(2)
    expect(placement?.order.resumeFromMs).toBeGreaterThan((one?.upMs ?? Infinity) + 60_000)
    expect((await story.status())?.lostSeconds).toBeLessThan(60)
  })

  test('that runs too long is ended as failed', async () => {
    const { story } = begin()
    await story.apply(job('max_duration: 5m\n'))
    await story.pass(320)
    expect(await story.status()).toMatchObject({ end: { state: 'failed' } })
    expect(story.billed()).toEqual([])
  })

  test('that fails is tried further and further apart, and given up after restart.max', async () => {
    const { story, north } = begin()
    await story.apply(job('restart: { class: training, max: 2 }\nenv: { SIM_SECONDS: "1", SIM_EXIT: "3" }\n'))
    await story.pass(900)
    expect(await story.status()).toMatchObject({ end: { state: 'failed', why: 'exit code 3 after 2 restarts' } })
    expect(count(north, 'launch')).toBe(3)
  })
})

describe('a pinned plan', () => {
  const pinned = [{ slot: '0', offer: OFFER, usdPerHour: 0.8 }]

  test('binds exactly that, though something else is cheaper', async () => {
    const { story } = begin()
    story.cloud('cheaper', { factor: 0.1 })
    await story.pass(3)
    await story.apply(SERVICE, { pinned })
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running north'])
  })

  test('that cannot be bound any more ends, and is bound nowhere else', async () => {
    const { story, north } = begin()
    story.cloud('cheaper', { factor: 0.1 })
    await story.pass(3)
    north.cloud.setPrice(OFFER, 0.9)
    await story.apply(SERVICE, { pinned })
    await story.pass(60)
    expect(await story.status()).toMatchObject({ end: { state: 'failed' } })
    expect(story.billed()).toEqual([])
  })
})

describe('scaling', () => {
  test('down and up again keeps what need not go', async () => {
    const { story } = begin()
    const workload = await story.apply(`${SERVICE}replicas: 3\n`)
    await story.pass(10)
    const record = (await story.placement('0'))?.instance
    await story.apply(workload.text, { uid: workload.uid, scale: { '': 1 }, generation: 2 })
    await story.pass(10)
    expect(story.billed()).toHaveLength(1)
    await story.apply(workload.text, { uid: workload.uid, scale: { '': 2 }, generation: 3 })
    await story.pass(10)
    expect(story.billed()).toHaveLength(2)
    expect((await story.placement('0'))?.instance).toBe(record)
    expect((await story.placement('1'))?.order.tag.epoch).toBe(2)
  })

  test('while its places are being made never makes one twice', async () => {
    const { story } = begin()
    const workload = await story.apply(`${SERVICE}replicas: 3\n`)
    for (let turn = 0; turn < 40; turn++) {
      await story.pass(0.3)
      await story.apply(workload.text, { uid: workload.uid, scale: { '': turn % 4 }, generation: 2 + turn })
      const slots = story.billed().map(({ tag, endedBy }) => (endedBy === 'call' ? `${tag.attempt}` : tag.slot))
      expect(new Set(slots).size).toBe(slots.length)
    }
    await story.pass(60)
    expect(story.billed()).toHaveLength(3)
  })
})

describe('a changed image', () => {
  test('replaces one replica after the other', async () => {
    const { story } = begin()
    const workload = await story.apply(`${SERVICE}replicas: 3\n`)
    await story.pass(10)
    await story.apply(workload.text.replace('app:1', 'app:2'), { uid: workload.uid, generation: 2 })
    let least = 3
    for (let second = 0; second < 120; second++) {
      await story.pass(1)
      least = Math.min(least, (await story.standing()).filter((text) => text.includes(' running ')).length)
    }
    expect([least, story.billed().length]).toEqual([3, 3])
    const images = await Promise.all(['0', '1', '2'].map((slot) => story.placement(slot)))
    expect(images.map((placement) => placement?.order.image)).toEqual(['acme/app:2', 'acme/app:2', 'acme/app:2'])
  })
})
