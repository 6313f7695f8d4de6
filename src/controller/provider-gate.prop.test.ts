import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FaultClass } from '../core/life/call/fault.ts'
import type { Answer } from '../ports/provider.ts'
import { Hand, silentProvider } from './hand.suite.ts'
import { ProviderGate } from './provider-gate.ts'
import { cases } from '../core/base/laws.suite.ts'

type Fate = 'answer' | 'throw' | 'silence' | FaultClass

interface Asked {
  readonly afterMs: number
  readonly fate: Fate
  readonly tookMs: number
}

const asked: fc.Arbitrary<Asked> = fc.record({
  afterMs: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(20_000)),
  fate: fc.constantFrom<Fate>('answer', 'answer', 'throw', 'silence', 'TRANSIENT', 'RATE_LIMIT', 'SOLD_OUT', 'AUTH'),
  tookMs: fc.nat(3000),
})
const setting = fc.record({
  callsPerSecond: fc.constantFrom(0.5, 1, 2, 7, 100),
  burst: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat(1000),
})
const schedule = fc.array(asked, { maxLength: 60, size: 'max' })
const DEADLINE_MS = 5000

interface Played {
  /** When each call began, in order. */
  readonly calledMs: readonly number[]
  readonly answers: number
  readonly rejected: number
  /** Most calls under way that were begun to feel whether the provider is back. */
  readonly probesAtOnce: number
}

async function play(turns: readonly Asked[], { callsPerSecond, burst, seed }: SettingOf): Promise<Played> {
  const hand = new Hand(seed)
  const gate = new ProviderGate(silentProvider({ callsPerSecond, burst, deadlineMs: DEADLINE_MS }), hand.deps)
  const calledMs: number[] = []
  let [answers, rejected, probes, probesAtOnce] = [0, 0, 0, 0]
  const run = async ({ fate, tookMs }: Asked): Promise<Answer<number>> => {
    calledMs.push(hand.loop.atMs)
    const isProbe = gate.isDown
    if (isProbe) probesAtOnce = Math.max(probesAtOnce, ++probes)
    const ends = fate === 'silence' ? DEADLINE_MS : Math.min(tookMs, DEADLINE_MS)
    await hand.process.timers.sleep(ends)
    if (isProbe) probes--
    if (fate === 'silence') return new Promise(() => undefined)
    if (fate === 'throw') throw new Error('reset')
    return fate === 'answer' ? { ok: true, value: 1 } : { ok: false, fault: { class: fate, message: '' } }
  }
  for (const turn of turns) {
    await hand.pass(turn.afterMs)
    const read = (): number => 1
    void gate.call({ what: 'stop', mayCall: () => true, run: () => run(turn), read }).then(
      () => answers++,
      () => rejected++,
    )
  }
  await hand.pass(7_200_000)
  return { calledMs, answers, rejected, probesAtOnce }
}

type SettingOf = typeof setting extends fc.Arbitrary<infer T> ? T : never

describe('a provider gate, whatever is asked and whatever comes back', () => {
  test('makes no more calls in any stretch of time than its burst and its rate allow', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, setting, async (turns, can) => {
        const { calledMs } = await play(turns, can)
        for (const [first, fromMs] of calledMs.entries()) {
          for (let last = first; last < calledMs.length; last++) {
            const tookMs = (calledMs[last] ?? 0) - fromMs
            expect(last - first + 1).toBeLessThanOrEqual(can.burst + (can.callsPerSecond * tookMs) / 1000 + 1e-3)
          }
        }
      }),
      cases(200),
    )
  })

  test('answers every call in the end, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, setting, async (turns, can) => {
        const { answers, rejected } = await play(turns, can)
        expect([answers, rejected]).toEqual([turns.length, 0])
      }),
      cases(200),
    )
  })

  test('feels for a provider that is down with one call at a time', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, setting, async (turns, can) => {
        expect((await play(turns, can)).probesAtOnce).toBeLessThanOrEqual(1)
      }),
      cases(200),
    )
  })
})
