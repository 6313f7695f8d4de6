import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../../../src/core/base/laws.suite.ts'
import type { Fault } from '../../../src/core/life/call/fault.ts'
import type { Order } from '../../../src/core/life/call/order.ts'
import type { Answer } from '../../../src/ports/provider.ts'
import { call, freshTag, launchCall } from '../../../src/providers/contract/bench.suite.ts'
import { cloudBench, type CloudBench } from '../bench.suite.ts'
import { CLOUDS } from '../cases.ts'
import type { FakeCall, Mishap, RawReply } from '../fake-api.ts'
import { KNOWN_REPLIES } from './known.ts'

/** Replies in all. `BERTH_FUZZ=100000` tries as many. */
const REPLIES = Number(process.env['BERTH_FUZZ'] ?? sized({ quick: 150, whole: 3000 }))
const EACH = Math.ceil(REPLIES / Object.keys(CLOUDS).length)

/** What comes back as a fault. */
type Asked = Exclude<FakeCall, 'logs'>

const LONG = { timeout: 120_000 + EACH * 200 }

/** A reply that hangs, or comes byte by byte, is waited for only as long as this; in earnest, 25 s. */
const DEADLINE_MS = 150

/** Statuses that say nothing by themselves: those of limits, keys, money and wrong orders (422) are told by their status alone. */
const STATUSES = [200, 201, 204, 206, 301, 302, 307, 400, 404, 409, 410, 500, 502, 503, 504, 520, 599]
const TYPES = [
  'application/json',
  'application/problem+json',
  'text/html',
  'text/plain',
  'application/octet-stream',
  '',
]

const WORDS = KNOWN_REPLIES.map(([, , , , body]) => (typeof body === 'string' ? body : JSON.stringify(body)))

const html = fc.constantFrom(...WORDS).map((words) => `<!doctype html><html><body><pre>${words}</pre></body></html>`)
const truncated = fc
  .tuple(fc.constantFrom(...WORDS), fc.double({ min: 0.05, max: 0.95, noNaN: true }))
  .map(([text, share]) => text.slice(0, Math.max(1, Math.floor((text.length - 1) * share))))
const otherTypes = fc.jsonValue().map((value) => JSON.stringify({ data: value, error: [value], code: {}, message: 7 }))
/** Not as bytes: a case that fails is printed, and nobody reads a megabyte of numbers. */
const huge = fc.record({ part: fc.constantFrom('[', '{"a":', ' ', 'x'), times: fc.constant(300_000) })
const charset = fc.constantFrom(...WORDS).map((text) => Buffer.from(text, 'utf16le'))
const noise = fc.uint8Array({ maxLength: 300 })

type Content = string | Uint8Array | { readonly part: string; readonly times: number }

const contents: fc.Arbitrary<Content> = fc.oneof(fc.oneof(html, truncated, otherTypes), huge, charset, noise)

function bytesOf(content: Content): Uint8Array {
  if (content instanceof Uint8Array) return content
  return Buffer.from(typeof content === 'string' ? content : content.part.repeat(content.times))
}

/** A reply whose content is made when it is sent. */
interface Drawn extends Omit<RawReply, 'bytes'> {
  readonly content: Content
}

const reply: fc.Arbitrary<Drawn> = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    type: fc.constantFrom(...TYPES),
    content: contents,
    end: fc.oneof(
      { weight: 70, arbitrary: fc.constant(undefined) },
      { weight: 28, arbitrary: fc.constant('cut' as const) },
      { weight: 1, arbitrary: fc.constant('hung' as const) },
      { weight: 1, arbitrary: fc.constant('slow' as const) },
    ),
    location: fc.constantFrom(undefined, 'http://169.254.169.254/latest', '/elsewhere', 'javascript:0', '::'),
  })
  .map(({ status, type, content, end, location }) => ({
    status,
    content: status === 204 ? '' : content,
    ...(type !== '' && { type }),
    ...(end !== undefined && status !== 204 && { end }),
    ...(location !== undefined && { headers: { location } }),
  }))

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
        reply,
        fc.constantFrom<Asked>('offers', 'create', 'list', 'describe', 'stop'),
        async ({ content, ...drawn }, what) => {
          const fault = await faultAfter(what, { ...drawn, bytes: bytesOf(content) })
          if (what === 'create') expect(fault?.class).toMatch(/^(?:TRANSIENT|AMBIGUOUS)$/)
          if (fault !== undefined) expect(fault.class).toMatch(/^(?:TRANSIENT|AMBIGUOUS)$/)
          if (fault !== undefined) expect(fault.message.length).toBeLessThanOrEqual(500)
          expect(JSON.stringify([fault, bench.logged])).not.toContain(bench.cloud.key)
        },
      ),
      { numRuns: EACH },
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
