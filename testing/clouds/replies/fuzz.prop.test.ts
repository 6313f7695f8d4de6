import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawn, sized } from '../../../src/core/base/laws.suite.ts'
import type { Fault } from '../../../src/core/life/call/fault.ts'
import type { Order } from '../../../src/core/life/call/order.ts'
import type { Answer } from '../../../src/ports/provider.ts'
import { call, freshTag, launchCall } from '../../../src/providers/contract/bench.suite.ts'
import { cloudBench, type CloudBench } from '../bench.suite.ts'
import { CLOUDS } from '../cases.ts'
import type { FakeCall, Mishap } from '../fake-api.ts'
import { bytesOf, drawnReply } from './drawn.ts'

/** Replies in all. `BERTH_FUZZ=100000` tries as many. */
const REPLIES = Number(process.env['BERTH_FUZZ'] ?? sized({ quick: 150, whole: 3000 }))
const EACH = Math.ceil(REPLIES / Object.keys(CLOUDS).length)

/** What comes back as a fault. */
type Asked = Exclude<FakeCall, 'logs'>

const LONG = { timeout: 120_000 + EACH * 200 }

/** A reply that hangs, or comes byte by byte, is waited for only as long as this; in earnest, 25 s. */
const DEADLINE_MS = 150

describe.each(Object.entries(CLOUDS))('%s bears every reply', (_, cloud) => {
  let bench: CloudBench
  let order: Order
  beforeAll(async () => {
    const patience = { mostMs: 60_000 }
    bench = await cloudBench(cloud, patience)
    order = { ...(await bench.order({ kind: 'serve' })), tag: freshTag() }
    patience.mostMs = DEADLINE_MS
  })
  afterAll(() => {
    // Redirects on the same host are followed, to wherever they lead.
    bench.cloud.referee?.violations.splice(0)
    return bench.cleanup()
  })

  /** Everything that the reply may do to a call. Undefined: it was an answer. */
  async function faultAfter(what: Asked, mishap: Mishap): Promise<Fault | undefined> {
    bench.cloud.next(what, mishap)
    const ref = { tag: order.tag, instance: what === 'list' ? undefined : '7001' }
    const { provider } = bench
    const asks: Readonly<Record<Asked, () => Promise<Answer<unknown>>>> = {
      offers: () => provider.offers(call()),
      create: () => provider.launch(order, launchCall()),
      list: () => provider.list(order.tag.owner, call()),
      describe: () => provider.describe(ref, call()),
      stop: () => provider.stop(ref, call()),
    }
    const answer = await asks[what]()
    bench.cloud.forget()
    return answer.ok ? undefined : answer.fault
  }

  test(`${EACH} times, a fault is passing or unknown, never sold out, and no key is in it`, LONG, async () => {
    await fc.assert(
      fc.asyncProperty(
        drawnReply,
        fc.constantFrom<Asked>('offers', 'create', 'list', 'describe', 'stop'),
        async ({ content, ...drawn }, what) => {
          const fault = await faultAfter(what, { ...drawn, bytes: bytesOf(content) })
          if (what === 'create') expect(fault?.class).toMatch(/^(?:TRANSIENT|AMBIGUOUS)$/)
          if (fault !== undefined) expect(fault.class).toMatch(/^(?:TRANSIENT|AMBIGUOUS)$/)
          if (fault !== undefined) expect(fault.message.length).toBeLessThanOrEqual(500)
          expect(JSON.stringify([fault, bench.logged])).not.toContain(bench.cloud.key)
        },
      ),
      { numRuns: EACH, ...drawn() },
    )
    expect(bench.cloud.engine.billed()).toEqual([])
  })

  test('a key that is repeated in a reply is in no fault', async () => {
    for (const status of [400, 401, 500]) {
      const text = JSON.stringify({ message: `the key ${bench.cloud.key} is odd`, error: { message: bench.cloud.key } })
      const fault = await faultAfter('create', { status, type: 'application/json', bytes: Buffer.from(text) })
      expect(fault).toBeDefined()
      expect(JSON.stringify(fault)).not.toContain(bench.cloud.key)
    }
  })
})
