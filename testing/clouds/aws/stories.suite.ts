import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Order } from '../../../src/core/life/call/order.ts'
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
} from '../../../src/providers/contract/bench.suite.ts'
import { keyText, runningIn, SETTINGS, templatesIn, type AwsBench } from './bench.suite.ts'

/** What only EC2 does. */
export function awsStories(open: () => Promise<AwsBench>): void {
  describe('aws, as EC2 is', () => {
    let bench: AwsBench
    beforeEach(async () => {
      bench = await open()
    })
    afterEach(() => bench.cleanup())

    async function anOrder(change: Partial<Order> = {}): Promise<Order> {
      return { ...(await bench.order({ kind: 'long' })), tag: freshTag({ owner: freshOwner() }), ...change }
    }

    const onSpot = ({ place, ...order }: Order): Order => ({ ...order, place: { ...place, market: 'spot' } })

    test('a request that arrives twice starts one machine', async () => {
      const order = await anOrder()
      const first = yes(await bench.provider.launch(order, launchCall()))
      const { place } = order
      expect(place.region).toBe('us-east-1')
      // The template has another id by now, so the token is refused: that something exists is not denied.
      const again = await bench.provider.launch(order, launchCall())
      expect(again).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
      expect(await runningIn(bench.cloud)).toEqual([first.instance.replace('us-east-1/', '')])
      await stopped(bench, { tag: order.tag, instance: first.instance })
    })

    test('machines are offered on demand, at the price of the list, and on spot', async () => {
      const { offers } = yes(await bench.provider.offers(call()))
      const usd = bench.cloud.engine.usdPerHour
      expect(offers.length).toBeGreaterThan(0)
      for (const offer of offers) expect(offer).toMatchObject({ usdPerHour: usd, spotUsdPerHour: expect.any(Number) })
    })

    test('a notice is told with its time, and what was taken away was preempted', async () => {
      const order = onSpot(await anOrder())
      const { instance } = yes(await bench.provider.launch(order, launchCall()))
      const ref = { tag: order.tag, instance }
      expect(await becomes(bench, ref, isUp)).not.toHaveProperty('endsAtMs')
      const id = instance.replace('us-east-1/', '')
      bench.cloud.giveNotice(id)
      const noticeMs = bench.time.nowMs + 120_000
      expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'up', endsAtMs: noticeMs })
      await bench.cloud.take(id)
      expect(await becomes(bench, ref, isOver)).toMatchObject({ state: 'ended', exit: { kind: 'preempted' } })
    })

    test('a region that does not answer makes a list incomplete', async () => {
      const provider = await bench.open({ regions: ['us-east-1', 'eu-west-1'] })
      bench.cloud.next('list', 'broken-before')
      expect(yes(await provider.list('somebody', call()))).toEqual({ instances: [], complete: false })
    })

    test('a template that cannot be deleted is deleted later', async () => {
      const order = await anOrder()
      bench.cloud.nextOf('DeleteLaunchTemplate', 'broken-before')
      const { instance } = yes(await bench.provider.launch(order, launchCall()))
      expect(await templatesIn(bench.cloud)).toHaveLength(1)
      await bench.pass(16 * 60_000)
      yes(await bench.provider.list(order.tag.owner, call()))
      expect(await templatesIn(bench.cloud)).toEqual([])
      await stopped(bench, { tag: order.tag, instance })
    })

    test.each([
      ['CreateLaunchTemplate', 'before'],
      ['CreateLaunchTemplate', 'after'],
      ['CreateFleet', 'before'],
      ['CreateFleet', 'after'],
      ['DeleteLaunchTemplate', 'before'],
    ] as const)('a control plane that is killed at %s (%s it) leaves nothing behind', async (action, when) => {
      const order = await anOrder()
      const settings = { endpoint: bench.cloud.url, ...SETTINGS }
      const argument = JSON.stringify({ settings, order, key: keyText(bench.cloud.key) })
      const child = spawn(process.execPath, [join(import.meta.dirname, 'launch-run.ts'), argument], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      bench.cloud.onAction = (done, at) => void (done === action && at === when && child.kill('SIGKILL'))
      expect(await ended).toEqual([null, 'SIGKILL'])
      bench.cloud.onAction = undefined
      await bench.cloud.settled()
      // Another control plane ends what the attempt left, by its tag; templates go by their age.
      const provider = await bench.reopen()
      await bench.pass(16 * 60_000)
      await stopped({ ...bench, provider }, { tag: order.tag, instance: undefined })
      yes(await provider.list(order.tag.owner, call()))
      expect([await runningIn(bench.cloud), await templatesIn(bench.cloud)]).toEqual([[], []])
    })
  })
}
