import { describe, expect, test } from 'vitest'
import { Story, count } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\n'
const SERVICE = `${HEAD}kind: service\n`

function job(more: string): string {
  return `${HEAD}kind: job\n${more}`
}

/** A story with one leader and one cloud. */
function begin(traits: Parameters<Story['cloud']>[1] = {}) {
  const story = new Story()
  const north = story.cloud('north', traits)
  const leader = story.controller('one')
  return { story, north, ...leader }
}

describe('a workload', () => {
  test('is placed, launched and up within seconds', async () => {
    const { story, controller } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect(await story.kinds()).toEqual(['placed', 'launched', 'up'])
    const status = await story.status()
    expect([status?.generation, status?.end, status?.waiting]).toEqual([1, undefined, undefined])
    expect(story.billed()).toHaveLength(1)
    expect(controller.counts).toMatchObject({ workloads: { serving: 1 }, placements: { running: 1 }, orphans: 0 })
  })

  test('is placed at once when there is a hint that it was written', async () => {
    const { story, controller, north } = begin()
    await story.pass(3.1)
    await story.apply(SERVICE)
    const appliedMs = story.loop.atMs
    controller.poke()
    await story.pass(6)
    const launch = north.asked.find(({ ask }) => ask === 'launch')
    expect((launch?.atMs ?? Infinity) - appliedMs).toBeLessThan(50)
  })

  test('that runs is left alone', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    const before = await story.store.head()
    await story.pass(3600)
    expect([await story.store.head(), count(north, 'launch'), count(north, 'stop')]).toEqual([before, 1, 0])
  })

  test('that is removed is stopped, proven gone, and forgotten', async () => {
    const { story } = begin()
    const workload = await story.apply(SERVICE)
    await story.pass(6)
    await story.apply(SERVICE, { ...workload, want: 'removed', generation: 2 })
    await story.pass(10)
    expect([story.billed(), await story.standing()]).toEqual([[], []])
    expect(await story.store.get('workload', 'default/demo')).toBeUndefined()
  })

  test('that dies is started again, in its next epoch', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    const [instance] = story.billed()
    north.cloud.end(instance?.id ?? '', 'machine', { nowMs: story.loop.nowMs })
    await story.pass(60)
    expect((await story.placement())?.order.tag.epoch).toBe(2)
    expect(story.billed()).toHaveLength(1)
    expect(await story.status()).toMatchObject({ restarts: 1, failures: 0 })
  })

  test('that is a job runs to its end and no further', async () => {
    const { story, north } = begin()
    await story.apply(job('completions: 2\nenv: { SIM_SECONDS: "5", SIM_EXIT: "1,0" }\n'))
    await story.pass(300)
    expect(await story.status()).toMatchObject({ end: { state: 'done' }, completed: [0, 1], restarts: 1 })
    expect([story.billed().length, count(north, 'launch')]).toEqual([0, 3])
    await story.pass(600)
    expect(count(north, 'launch')).toBe(3)
  })

  test('without room waits with its reason, and goes on as soon as there is some', async () => {
    const { story, north } = begin({ units: 0 })
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.status()).toMatchObject({ waiting: { code: 'SOLD_OUT' } })
    north.cloud.setCapacity('north/r1/small', 1)
    await story.pass(120)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect((await story.status())?.waiting).toBeUndefined()
  })
})

describe('a refusal', () => {
  const twoClouds = () => {
    const story = new Story()
    const cheap = story.cloud('cheap', { factor: 0.5, units: 5 })
    story.cloud('dear')
    story.controller('one')
    return { story, cheap }
  }

  test('leads to the next offer within a second', async () => {
    const { story, cheap } = twoClouds()
    await story.pass(3)
    cheap.cloud.setCapacity('cheap/r1/small', 0)
    await story.apply(SERVICE)
    await story.pass(2)
    const events = await story.events()
    expect(events.map(({ kind, facts }) => `${kind} ${facts['provider']}`).slice(0, 4)).toEqual([
      'placed cheap',
      'refused cheap',
      'placed dear',
      'launched dear',
    ])
    const [refused, again] = ['refused', 'launched'].map(
      (kind) => events.find((event) => event.kind === kind)?.atMs ?? 0,
    )
    expect((again ?? 0) - (refused ?? 0)).toBeLessThan(1000)
  })

  test('is remembered for all workloads until it expires', async () => {
    const { story, cheap } = twoClouds()
    await story.pass(3)
    cheap.cloud.setCapacity('cheap/r1/small', 0)
    await story.apply(SERVICE)
    await story.pass(5)
    cheap.cloud.setCapacity('cheap/r1/small', 5)
    await story.apply(SERVICE, { name: 'second' })
    await story.pass(30)
    expect([count(cheap, 'launch'), await story.standing()]).toEqual([
      1,
      ['demo/0 running dear', 'second/0 running dear'],
    ])
    await story.pass(180)
    await story.apply(SERVICE, { name: 'third' })
    await story.pass(10)
    expect(await story.standing()).toContain('third/0 running cheap')
  })
})

describe('an answer that is lost', () => {
  test.each(['lost', 'broken', 'late'] as const)(
    '(%s) is never followed by a second launch without a token',
    async (fate) => {
      const { story, north } = begin()
      north.next.set('launch', [fate])
      await story.apply(SERVICE)
      await story.pass(5)
      expect(await story.placement()).toMatchObject({ phase: 'unknown', order: { tag: { epoch: 1 } } })
      await story.pass(120)
      expect(count(north, 'launch')).toBe(1)
      expect(await story.standing()).toEqual(['demo/0 running north'])
      expect(story.billed()).toHaveLength(1)
      expect(await story.kinds()).toEqual(['placed', 'unknown', 'adopted', 'up'])
    },
  )

  test('of a launch that never arrived is known only after the window and two lists', async () => {
    const { story, north } = begin()
    north.cloud.setCapacity('north/r1/small', undefined)
    north.next.set('launch', ['silent'])
    await story.apply(SERVICE)
    await story.pass(88)
    expect((await story.placement())?.order.tag.epoch).toBe(1)
    await story.pass(120)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect(story.billed()).toHaveLength(1)
  })

  test('is repeated with the same token, where there are tokens', async () => {
    const { story, north } = begin({ tokens: true })
    north.next.set('launch', ['lost'])
    await story.apply(SERVICE)
    await story.pass(20)
    expect(count(north, 'launch')).toBe(2)
    expect(story.billed()).toHaveLength(1)
    expect((await story.placement())?.order.tag.epoch).toBe(1)
  })

  test('of a stop is asked for again, until it is gone', async () => {
    const { story, north } = begin()
    const workload = await story.apply(SERVICE)
    await story.pass(6)
    north.next.set('stop', ['unreachable', 'failing', 'garbled'])
    await story.apply(SERVICE, { ...workload, want: 'removed', generation: 2 })
    await story.pass(90)
    expect([story.billed(), await story.store.get('workload', 'default/demo')]).toEqual([[], undefined])
  })
})

describe('an instance that nobody owns', () => {
  test('is ended at the next list, and those of others are not touched', async () => {
    const { story, north, controller } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    const [own] = story.billed()
    if (own === undefined) throw new Error('it runs')
    north.cloud.restore({ ...own, id: 'i-north-90', tag: { ...own.tag, attempt: 'stray', epoch: 9 } })
    north.cloud.restore({ ...own, id: 'i-north-91', tag: { ...own.tag, owner: 'somebody', attempt: 'theirs' } })
    await story.pass(30)
    expect(story.billed().map(({ id }) => id)).toEqual([own.id, 'i-north-91'])
    expect(controller.counts?.orphans).toBe(1)
  })

  test('is left alone when it belongs to another owner, even if the provider lists it as ours', async () => {
    const { story, north } = begin()
    const real = story.provider('north')
    const list: typeof real.list = async (owner, call) => {
      const [ours, theirs] = [await real.list(owner, call), await real.list('somebody', call)]
      if (!ours.ok || !theirs.ok) return ours
      return { ok: true, value: { instances: [...ours.value.instances, ...theirs.value.instances], complete: true } }
    }
    const { name, kind, can, offers, launch, describe: ask, stop } = real
    story.state('north', 'open', { name, kind, can, offers, launch, describe: ask, stop, list })
    await story.apply(SERVICE)
    await story.pass(6)
    const [own] = story.billed()
    if (own === undefined) throw new Error('it runs')
    north.cloud.restore({ ...own, id: 'i-north-91', tag: { ...own.tag, owner: 'somebody', attempt: 'theirs' } })
    await story.pass(60)
    expect(story.billed().map(({ id }) => id)).toEqual([own.id, 'i-north-91'])
  })

  test('and has ended long ago is not ended again at every list', async () => {
    const { story, north } = begin({ keepMs: 3_600_000 })
    await story.apply(job('env: { SIM_SECONDS: "5" }\n'))
    await story.pass(60)
    expect(await story.status()).toMatchObject({ end: { state: 'done' } })
    const before = count(north, 'stop')
    await story.pass(600)
    expect(count(north, 'stop') - before).toBe(0)
  })
})

describe('several controllers', () => {
  test('are led by one, and by the next one within five seconds after it died', async () => {
    const { story, process, controller } = begin()
    const second = story.controller('second')
    await story.apply(SERVICE)
    await story.pass(6)
    expect([controller.leading, second.controller.leading]).toEqual([1, undefined])
    process.kill()
    await story.pass(5)
    expect(second.controller.leading).toBe(2)
    await story.apply(SERVICE, { name: 'later' })
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running north', 'later/0 running north'])
    expect(story.billed()).toHaveLength(2)
  })

  test('do not wait for the lease of one that is seen to be dead', async () => {
    const { story, process } = begin()
    story.isDead = (holder) => holder.startsWith('one-') && !process.isAlive
    const second = story.controller('second')
    await story.pass(4)
    expect(second.controller.leading).toBeUndefined()
    process.kill()
    await story.pass(1)
    expect(second.controller.leading).toBe(2)
  })

  test('hand over at once when the first one goes', async () => {
    const { story, stop } = begin()
    const second = story.controller('second')
    await story.pass(4)
    stop()
    await story.pass(1.5)
    expect(second.controller.leading).toBe(2)
  })

  test('do not start anything a second time when the first died in the middle of a launch', async () => {
    const { story, process, north } = begin()
    story.controller('second')
    await story.pass(3)
    await story.apply(SERVICE)
    while (count(north, 'launch') === 0) await story.pass(0.005)
    process.kill()
    await story.pass(300)
    expect(story.billed()).toHaveLength(1)
    expect(await story.standing()).toEqual(['demo/0 running north'])
  })

  test('are not disturbed by one that sleeps, wakes and still believes that it leads', async () => {
    const { story, process, controller } = begin()
    const second = story.controller('second')
    await story.pass(3)
    process.pause()
    await story.pass(10)
    expect(second.controller.leading).toBe(2)
    await story.apply(SERVICE)
    await story.pass(10)
    process.wake()
    await story.pass(30)
    expect([controller.leading, second.controller.leading]).toEqual([undefined, 2])
    expect(story.billed()).toHaveLength(1)
  })
})

describe('what makes no sense', () => {
  test('is set aside, and the others go on', async () => {
    const { story, controller } = begin()
    const whole = await story.apply(SERVICE, { name: 'broken' })
    const manifest = JSON.parse('{"replicas":null}') as typeof whole.manifest
    await story.apply(SERVICE, { ...whole, manifest, generation: 2 })
    await story.apply(SERVICE)
    await story.pass(10)
    expect(await story.standing()).toContain('demo/0 running north')
    expect((await story.status('broken'))?.setAside).toEqual(expect.any(String))
    expect(await story.kinds()).toContain('set-aside')
    expect(controller.leading).toBe(1)
    expect(controller.counts?.workloads).toMatchObject({ serving: 1 })
  })

  test('is tried again once it was changed', async () => {
    const { story } = begin()
    const whole = await story.apply(SERVICE)
    const manifest = JSON.parse('{"replicas":null}') as typeof whole.manifest
    await story.apply(SERVICE, { ...whole, manifest, generation: 2 })
    await story.pass(5)
    await story.apply(SERVICE, { ...whole, generation: 3 })
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect((await story.status())?.setAside).toBeUndefined()
  })

  test('as a row of a placement delays no other workload', async () => {
    const story = new Story()
    story.cloud('north')
    const body = JSON.parse('{}') as NonNullable<Awaited<ReturnType<Story['placement']>>>
    await story.store.commit({ writes: [{ kind: 'placement', key: 'default/demo/0', body }] })
    await story.apply(SERVICE, { name: 'other' })
    const { controller } = story.controller('one')
    await story.pass(10)
    expect(controller.leading).toBe(1)
    expect((await story.placement('0', 'other'))?.phase).toBe('running')
  })

  test('as an answer delays no other workload', async () => {
    const { story, north } = begin()
    for (const ask of ['offers', 'list', 'launch', 'describe', 'stop'] as const)
      north.next.set(ask, ['garbled', 'garbled'])
    await story.apply(SERVICE)
    await story.pass(300)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect(story.billed()).toHaveLength(1)
  })
})

describe('a secret that is missing', () => {
  test('is waited for, without a call, and the work goes on once it is set', async () => {
    const { story, north } = begin()
    await story.apply(`${SERVICE}secrets: [TOKEN]\n`)
    await story.pass(40)
    expect([count(north, 'launch'), (await story.placement())?.phase]).toEqual([0, 'reserved'])
    await story.secret('TOKEN', 'hush-hush')
    await story.pass(30)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect(JSON.stringify(await story.events())).not.toContain('hush-hush')
  })
})

describe('a drain', () => {
  test('moves what may be moved, one after the other, and nothing else', async () => {
    const story = new Story()
    story.cloud('north', { factor: 0.5 })
    story.cloud('south')
    story.controller('one')
    await story.apply(`${SERVICE}replicas: 2\nmigration: { on: [drain] }\n`)
    await story.apply(SERVICE, { name: 'settled' })
    await story.pass(10)
    story.state('north', 'draining')
    const least = { up: 9 }
    for (let second = 0; second < 120; second++) {
      await story.pass(1)
      const up = (await story.standing()).filter((text) => /^demo.* running/.test(text)).length
      least.up = Math.min(least.up, up)
    }
    expect(await story.standing()).toEqual([
      'demo/0.b running south',
      'demo/1.b running south',
      'settled/0 running north',
    ])
    expect(least.up).toBe(2)
  })
})
