import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Manifest } from '../../src/core/manifest/manifest.ts'
import { parseManifest } from '../../src/core/manifest/parse.ts'
import { readYaml } from '../../src/formats/yaml/yaml.ts'
import type { Launched } from '../../src/ports/provider.ts'
import {
  becomes,
  call,
  freshOwner,
  freshTag,
  isOver,
  isUp,
  launchCall,
  stopped,
  yes,
} from '../../src/providers/contract/bench.suite.ts'
import { ROOT } from '../house/files.ts'
import type { CloudBench } from './bench.suite.ts'
import type { Mishap } from './fake-api.ts'

function manifestIn(path: string): Manifest {
  const read = readYaml(readFileSync(join(ROOT, path)), path)
  const parsed = 'document' in read ? parseManifest(read.document) : read
  if ('manifest' in parsed) return parsed.manifest
  throw new Error(JSON.stringify(parsed.problems))
}

/** What differs between clouds, as far as these stories notice. */
export interface CloudHabits {
  /** It may refuse an order and leave something behind. */
  readonly isPartial?: boolean
  /** Its API tells no prices. */
  readonly isUnpriced?: boolean
  /** Its API does not tell what is sold out. */
  readonly isSilent?: boolean
}

/** What has to go well with every cloud, whatever goes wrong there. */
export function cloudStories(name: string, open: () => Promise<CloudBench>, habits: CloudHabits): void {
  describe(name, () => stories(open, habits))
}

function stories(open: () => Promise<CloudBench>, habits: CloudHabits): void {
  let bench: CloudBench
  beforeEach(async () => {
    bench = await open()
  })
  afterEach(() => bench.cleanup())

  async function anOrder(): Promise<Order> {
    return { ...(await bench.order({ kind: 'long' })), tag: freshTag({ owner: freshOwner() }) }
  }

  const launch = (order: Order) => bench.provider.launch(order, launchCall())

  test.each<Mishap>(['lost', 'broken-after'])(
    'a reply that is %s after the create leaves no orphan and no double',
    async (mishap) => {
      const order = await anOrder()
      bench.cloud.next('create', mishap)
      expect(await launch(order)).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
      expect(bench.cloud.engine.billed()).toHaveLength(1)
      // It is found by its tag in a complete list, by any control plane, and nothing is ordered again.
      const other = await bench.reopen()
      const ref = { tag: order.tag, instance: undefined }
      const up = await becomes({ ...bench, provider: other }, ref, isUp)
      expect(up).toMatchObject({ tag: order.tag })
      const { instances, complete } = yes(await other.list(order.tag.owner, call()))
      expect([instances.map(({ tag }) => tag.attempt), complete]).toEqual([[order.tag.attempt], true])
      await stopped({ ...bench, provider: other }, ref)
      expect(bench.cloud.engine.billed()).toEqual([])
      expect(bench.cloud.counts.get('create')).toBe(1)
    },
  )

  test('a 500 before anything was created is unknown, and the list proves that there is nothing', async () => {
    const order = await anOrder()
    bench.cloud.next('create', 'broken-before')
    expect(await launch(order)).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
    expect(yes(await bench.provider.list(order.tag.owner, call()))).toEqual({ instances: [], complete: true })
  })

  test('a list that could not be read proves nothing', async () => {
    const ref = { tag: freshTag(), instance: undefined }
    bench.cloud.next('list', 'broken-before', 'broken-before', 'broken-before')
    expect(await bench.provider.list(ref.tag.owner, call())).toMatchObject({ ok: false })
    expect(await bench.provider.stop(ref, call())).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
    expect(await bench.provider.describe(ref, call())).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
  })

  test('lists that lag behind show what was created within the time that is declared', async () => {
    const order = await anOrder()
    bench.cloud.engine.listLagMs = bench.provider.can.settleMs
    yes(await launch(order))
    expect(yes(await bench.provider.list(order.tag.owner, call())).instances).toEqual([])
    await bench.pass(bench.provider.can.settleMs)
    expect(yes(await bench.provider.list(order.tag.owner, call())).instances).toHaveLength(1)
  })

  test('sold out, quota and money are told apart, and nothing is created', async () => {
    const order = await anOrder()
    const refused = async (): Promise<unknown> => {
      // A refused attempt is never made again: the next one has a name and a token of its own.
      const answer = await launch({ ...order, tag: freshTag() })
      return answer.ok ? 'launched' : [answer.fault.class, answer.fault.created ?? 'no']
    }
    bench.cloud.engine.quota = 0
    expect(await refused()).toEqual(['QUOTA', 'no'])
    bench.cloud.engine.quota = Infinity
    bench.cloud.engine.balance = 'none'
    expect(await refused()).toEqual(['BILLING', 'no'])
    bench.cloud.engine.balance = 'enough'
    bench.cloud.engine.isEmpty = true
    expect(await refused()).toEqual([expect.stringMatching(/^(?:SOLD_OUT|OFFER_GONE)$/), 'no'])
    expect(bench.cloud.engine.billed()).toEqual([])
  })

  test.runIf(habits.isPartial)('an order that is refused and left something behind says what it is', async () => {
    const order = await anOrder()
    bench.cloud.next('create', 'partial')
    const answer = await launch(order)
    expect(answer).toMatchObject({
      ok: false,
      fault: { class: 'TRANSIENT', created: 'yes', instance: expect.any(String) },
    })
    if (!answer.ok) await stopped(bench, { tag: order.tag, instance: answer.fault.instance })
    expect(bench.cloud.engine.billed()).toEqual([])
  })

  test.skipIf(habits.isSilent)('what is sold out is offered as sold out', async () => {
    bench.cloud.engine.isEmpty = true
    const { offers } = yes(await bench.provider.offers(call()))
    expect(offers.length).toBeGreaterThan(0)
    expect(offers.filter(({ stock }) => stock?.level !== 'sold_out')).toEqual([])
  })

  test('every offer says what its host is: a manifest asks for amd64 without a word', async () => {
    const { offers } = yes(await bench.provider.offers(call()))
    expect(offers.filter(({ hostArch }) => hostArch === undefined)).toEqual([])
  })

  test('a limit of calls says when to come back, if the cloud does', async () => {
    const order = await anOrder()
    bench.cloud.next('create', 'throttled', 'throttled-silently')
    expect(await launch(order)).toMatchObject({ ok: false, fault: { class: 'RATE_LIMIT', retryAfterMs: 3000 } })
    const silent = await launch(order)
    expect(silent).toMatchObject({ ok: false, fault: { class: 'RATE_LIMIT' } })
    expect(bench.cloud.engine.billed()).toEqual([])
  })

  test('a key that was revoked is told as such by every call, and repeated by none', async () => {
    const order = await anOrder()
    const key = bench.cloud.key
    bench.cloud.key = 'another-key-0123456789'
    const ref = { tag: order.tag, instance: undefined }
    const { provider } = bench
    const answers = [
      await provider.offers(call()),
      await launch(order),
      await provider.list(order.tag.owner, call()),
      await provider.describe(ref, call()),
      await provider.stop(ref, call()),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, fault: { class: 'AUTH' } })
    expect(JSON.stringify([answers, bench.logged])).not.toContain(key)
  })

  test.skipIf(habits.isUnpriced)(
    'what costs more than was agreed by now is refused, or told with its real price',
    async () => {
      const order = await anOrder()
      bench.cloud.engine.usdPerHour *= 3
      const answer = await launch(order)
      if (answer.ok) expect(answer.value.usdPerHour).toBeGreaterThan(order.usdPerHourMax)
      else expect(answer.fault).toMatchObject({ class: 'OFFER_GONE' })
    },
  )

  test('a machine that never comes up is told, and can be ended', async () => {
    const order = await anOrder()
    bench.cloud.engine.breaksNext = true
    const { instance }: Launched = yes(await launch(order))
    const ref = { tag: order.tag, instance }
    await bench.pass(5000)
    // A start that takes too long is ended; a state that nobody knows never is.
    expect(['ended', 'starting']).toContain(yes(await bench.provider.describe(ref, call())).state)
    await stopped(bench, ref)
    expect(bench.cloud.engine.billed()).toEqual([])
  })

  test('what has ended and is not removed is not called ended for ever: it may cost something', async () => {
    const order = { ...(await bench.order({ kind: 'exit', code: 0 })), tag: freshTag({ owner: freshOwner() }) }
    yes(await launch(order))
    await becomes(bench, { tag: order.tag, instance: undefined }, isOver)
    await bench.pass(3_600_000)
    const { instances } = yes(await bench.provider.list(order.tag.owner, call()))
    expect(instances.map(({ state }) => state)).toEqual(['unclear'])
  })

  test('what it prints can be read, or it says why not and what to do', () => {
    const { logs, noLogs } = bench.provider
    if (logs === undefined)
      expect([noLogs?.why, noLogs?.instead]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
    else expect(noLogs).toBeUndefined()
  })

  test('the same manifest runs here, unchanged', async () => {
    const { image, command, args, env } = manifestIn('examples/rented-4090.yaml')
    const order = { ...(await bench.order({ kind: 'long' })), tag: freshTag(), image, command, args, env }
    const { instance } = yes(await launch(order))
    await becomes(bench, { tag: order.tag, instance }, isUp)
    const [machine] = bench.cloud.engine.billed()
    expect(machine).toMatchObject({ image, env })
    await stopped(bench, { tag: order.tag, instance })
  })

  test('every operation that it uses is in the published spec', async () => {
    const order = await anOrder()
    const { instance } = yes(await launch(order))
    await becomes(bench, { tag: order.tag, instance }, isUp)
    yes(await bench.provider.list(order.tag.owner, call()))
    await stopped(bench, { tag: order.tag, instance })
    if (bench.cloud.referee !== undefined) expect(bench.cloud.referee.used.size).toBeGreaterThanOrEqual(4)
  })
}
