import { describe, expect, test } from 'vitest'
import { readInstance } from '../core/life/call/check-reply.ts'
import type { FaultClass } from '../core/life/call/fault.ts'
import type { Answer, Can } from '../ports/provider.ts'
import { Hand, silentProvider } from './hand.suite.ts'
import { ProviderGate, type GateCall } from './provider-gate.ts'
import { ProviderGates } from './provider-gates.ts'

const OK: Answer<number> = { ok: true, value: 7 }

function no(name: FaultClass, more: object = {}): Answer<number> {
  return { ok: false, fault: { class: name, message: 'no', ...more } }
}

/** A gate, the moments at which something was called, and what came back. */
function gateOf(can: Partial<Can> = {}) {
  const hand = new Hand()
  const gate = new ProviderGate(silentProvider(can), hand.deps)
  const calledMs: number[] = []
  const answers: unknown[] = []
  const ask = (run: () => unknown, change: Partial<GateCall<number>> = {}): void => {
    const read = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
    // A provider may answer with anything, whatever its type says.
    const answer = async () => {
      calledMs.push(hand.loop.atMs)
      return (await run()) as Answer<number>
    }
    void gate.call({ what: 'stop', mayCall: () => true, read, run: answer, ...change }).then(
      (back) => answers.push(back),
      (error: unknown) => answers.push({ rejected: String(error) }),
    )
  }
  return { hand, gate, ask, calledMs, answers }
}

const never = (): Promise<never> => new Promise(() => undefined)

describe('a provider gate', () => {
  test('hands an answer back as it was read', async () => {
    const { hand, gate, ask, answers } = gateOf()
    ask(() => OK)
    await hand.pass(1)
    expect(answers).toEqual([OK])
    expect(gate.state).toMatchObject({ isDown: false, counts: [{ what: 'stop', calls: 1, faults: 0 }] })
  })

  test('lets a burst through at once, and the rest at the rate of the provider', async () => {
    const { hand, ask, calledMs } = gateOf({ callsPerSecond: 2, burst: 3 })
    for (let count = 0; count < 6; count++) ask(() => OK)
    await hand.pass(10_000)
    expect(calledMs).toEqual([0, 0, 0, 500, 1000, 1500])
  })

  test('lets lists of instances and of offers pass a long queue, and gives them every second token at most', async () => {
    const { hand, ask, calledMs } = gateOf({ callsPerSecond: 1, burst: 1 })
    for (let count = 0; count < 3; count++) ask(() => OK)
    await hand.pass(1)
    ask(() => OK, { what: 'list' })
    ask(() => OK, { what: 'offers' })
    ask(() => OK)
    await hand.pass(60_000)
    expect(calledMs).toEqual([0, 1, 1, 2000, 3000, 4000])
  })

  test('keeps launches apart where they have a limit of their own, and lets everything else pass them', async () => {
    const { hand, ask } = gateOf({ callsPerSecond: 1, burst: 1, launchEachMs: 12_000 })
    const went: string[] = []
    const note = (what: 'launch' | 'stop' | 'describe') =>
      ask(() => OK, { what, run: async () => (went.push(`${what} ${hand.loop.atMs / 1000}`), OK) })
    for (const what of ['launch', 'launch', 'launch', 'describe', 'stop', 'describe'] as const) note(what)
    await hand.pass(60_000)
    expect(went).toEqual(['launch 0', 'stop 1', 'describe 2', 'describe 3', 'launch 12', 'launch 24'])
  })

  test('gives a call up at its deadline, aborts it, and says so', async () => {
    const { hand, ask, answers } = gateOf({ deadlineMs: 4000 })
    let signal: AbortSignal | undefined
    ask(never, { run: (call) => ((signal = call.signal), never()) })
    await hand.pass(3999)
    expect([answers, signal?.aborted]).toEqual([[], false])
    await hand.pass(1)
    expect(answers).toEqual([{ ok: false, fault: { class: 'TRANSIENT', message: 'no answer within 4 s' } }])
    expect(signal?.aborted).toBe(true)
  })

  test('takes every unreadable answer for unclear, and of a launch for ambiguous', async () => {
    const { hand, ask, answers } = gateOf({ deadlineMs: 10, callsPerSecond: 1000, burst: 100 })
    for (const what of ['launch', 'stop'] as const) {
      ask(never, { what })
      await hand.pass(20)
    }
    ask(() => Promise.reject(new Error('reset')), { what: 'launch' })
    await hand.pass(60_000)
    expect(answers).toMatchObject([
      { fault: { class: 'AMBIGUOUS' } },
      { fault: { class: 'TRANSIENT' } },
      { fault: { class: 'AMBIGUOUS', message: 'reset' } },
    ])
  })

  const odd: readonly unknown[] = [
    undefined,
    null,
    5,
    'ok',
    [],
    {},
    { ok: true },
    { ok: true, value: 'no number' },
    { ok: 'true', value: 7 },
    { ok: false },
    { ok: false, fault: null },
    { ok: false, fault: { class: 'QUOTA', message: { toString: 1, valueOf: 1 } } },
    { ok: false, fault: { class: 'NEW', message: 'x' } },
  ]
  test.each(odd)('makes a fault of the answer %j', async (value) => {
    const { hand, ask, answers } = gateOf()
    ask(() => value)
    await hand.pass(1)
    expect(answers).toMatchObject([{ ok: false, fault: { message: expect.any(String) } }])
  })

  const thrown: readonly [string, unknown][] = [
    ['an error', new Error('x')],
    ['a text', 'x'],
    ['nothing', undefined],
    ['an object without a prototype', Object.create(null)],
    ['an error without a message', Object.assign(new Error('x'), { message: undefined })],
    ['an object that cannot be printed', { toString: 1 }],
  ]
  test.each(thrown)('never throws, whatever is thrown at it: %s', async (_, error) => {
    const { hand, ask, answers } = gateOf()
    ask(() => {
      throw error
    })
    await hand.pass(1)
    expect(answers).toMatchObject([{ ok: false, fault: { class: 'TRANSIENT' } }])
  })

  test('never throws when the reader stumbles', async () => {
    const { hand, ask, answers } = gateOf()
    const read = (value: unknown): number | undefined => {
      readInstance(value)
      throw new TypeError('stumbled')
    }
    ask(() => OK, { read })
    await hand.pass(1)
    expect(answers).toMatchObject([{ ok: false, fault: { class: 'TRANSIENT' } }])
  })

  test('does not make a call that may not be made any more, and says so with nothing', async () => {
    const { hand, gate, ask, answers, calledMs } = gateOf()
    ask(() => OK, { mayCall: () => false })
    await hand.pass(1)
    expect([answers, calledMs, gate.state.counts]).toEqual([[undefined], [], []])
  })

  test('asks whether it may after all waiting, right before the call', async () => {
    const { hand, ask, calledMs, answers } = gateOf({ callsPerSecond: 1, burst: 1 })
    let may = true
    ask(() => OK)
    ask(() => OK, { mayCall: () => may })
    may = false
    await hand.pass(5000)
    expect(calledMs).toEqual([0])
    expect(answers).toEqual([OK, undefined])
  })
})

describe('a long queue', () => {
  test('is shared by projects and then by workloads, in whatever order they came', async () => {
    const { hand, ask } = gateOf({ callsPerSecond: 1, burst: 1 })
    const made: string[] = []
    const queue = (whose: string): void => ask(() => (made.push(whose), OK), { what: 'launch', whose })
    for (let count = 0; count < 50; count++) queue('a/large')
    for (const whose of ['a/small', 'b/one', 'b/two', 'b/one']) queue(whose)
    await hand.pass(8500)
    expect(made.slice(0, 8)).toEqual(['a/large', 'a/large', 'b/one', 'a/small', 'b/two', 'a/large', 'b/one', 'a/large'])
  })

  test('of launches lets stops pass, which leave every fourth turn to others', async () => {
    const { hand, ask } = gateOf({ callsPerSecond: 1, burst: 1 })
    const made: string[] = []
    const queue = (what: 'launch' | 'stop'): void => ask(() => (made.push(what), OK), { what, whose: `a/${what}` })
    for (let count = 0; count < 5; count++) queue('launch')
    for (let count = 0; count < 5; count++) queue('stop')
    await hand.pass(7500)
    expect(made).toEqual(['launch', 'stop', 'stop', 'stop', 'launch', 'stop', 'stop', 'launch'])
  })

  test('of launches takes turns with descriptions', async () => {
    const { hand, ask } = gateOf({ callsPerSecond: 1, burst: 1 })
    const made: string[] = []
    const queue = (what: 'launch' | 'describe'): void => ask(() => (made.push(what), OK), { what, whose: `a/${what}` })
    for (let count = 0; count < 4; count++) queue('launch')
    for (let count = 0; count < 2; count++) queue('describe')
    await hand.pass(5500)
    expect(made).toEqual(['launch', 'describe', 'launch', 'describe', 'launch', 'launch'])
  })

  test('lets go at once of what is no longer wanted, and no token is spent on it', async () => {
    const { hand, ask, answers, calledMs } = gateOf({ callsPerSecond: 0.1, burst: 1 })
    let isWanted = true
    ask(() => OK)
    for (let count = 0; count < 20; count++) ask(() => OK, { what: 'launch', mayCall: () => isWanted })
    ask(() => OK, { what: 'describe' })
    isWanted = false
    await hand.pass(2000)
    expect(answers).toHaveLength(21)
    await hand.pass(8000)
    expect(calledMs).toEqual([0, 10_000])
  })
})

/** A provider that takes on so many launches a second, one after the other, and works off those that nobody waits for any more, too. */
function slowly(hand: Hand, perSecond: number): () => Promise<Answer<number>> {
  let freeMs = 0
  return async () => {
    freeMs = Math.max(freeMs, hand.loop.atMs) + 1000 / perSecond
    await hand.process.timers.sleep(freeMs - hand.loop.atMs)
    return OK
  }
}

describe('a provider that is slow to launch', () => {
  test.each([5, 27, 200])(
    'gets no more at once than it answers in time, %i a second, and is kept busy',
    async (rate) => {
      const { hand, gate, ask, answers } = gateOf({ callsPerSecond: 1000, burst: 1000 })
      const launch = slowly(hand, rate)
      for (let count = 0; count < rate * 100; count++) ask(launch, { what: 'launch', whose: `a/${count}` })
      await hand.pass(101_000)
      expect(gate.state.counts).toEqual([{ what: 'launch', calls: rate * 100, faults: 0 }])
      expect(answers).toHaveLength(rate * 100)
    },
  )

  test('answers stops, descriptions and lists at once, however many launches wait', async () => {
    const { hand, ask } = gateOf({ callsPerSecond: 1000, burst: 1000 })
    const went: string[] = []
    for (let count = 0; count < 300; count++) ask(never, { what: 'launch' })
    await hand.pass(10)
    for (const what of ['stop', 'describe', 'list', 'offers'] as const)
      ask(() => OK, { what, run: async () => (went.push(what), OK) })
    await hand.pass(1)
    expect(went.toSorted()).toEqual(['describe', 'list', 'offers', 'stop'])
  })

  test('is sent the next launch as soon as one has ended, and no deadline runs before', async () => {
    const { hand, gate, ask, calledMs } = gateOf({ callsPerSecond: 1000, burst: 1000, deadlineMs: 30_000 })
    const launch = async () => (await hand.process.timers.sleep(25_000), OK)
    for (let count = 0; count < 200; count++) ask(launch, { what: 'launch' })
    await hand.pass(24_999)
    expect(calledMs.length).toBeLessThan(100)
    await hand.pass(200_000)
    expect(calledMs).toHaveLength(200)
    expect(gate.state.counts).toEqual([{ what: 'launch', calls: 200, faults: 0 }])
  })
})

describe('a provider that says "too fast"', () => {
  test('is left alone for as long as it asked, and a little longer', async () => {
    const { hand, ask, calledMs } = gateOf()
    ask(() => no('RATE_LIMIT', { retryAfterMs: 8000 }))
    await hand.pass(1)
    ask(() => OK)
    await hand.pass(7999)
    expect(calledMs).toHaveLength(1)
    await hand.pass(4000)
    expect(calledMs).toHaveLength(2)
  })

  test('does not count as down, however often it says so', async () => {
    const { hand, gate, ask } = gateOf()
    for (let count = 0; count < 5; count++) {
      ask(() => no('RATE_LIMIT', { retryAfterMs: 1 }))
      await hand.pass(5000)
    }
    expect(gate.state).toMatchObject({ isDown: false, lastFault: { class: 'RATE_LIMIT' } })
  })

  test('is not believed beyond five minutes', async () => {
    const { hand, ask, calledMs } = gateOf()
    ask(() => no('RATE_LIMIT', { retryAfterMs: 1e9 }))
    await hand.pass(1)
    ask(() => OK)
    await hand.pass(400_000)
    expect(calledMs).toHaveLength(2)
  })
})

describe('a provider that is down', () => {
  const down = async (can: Partial<Can> = {}) => {
    const parts = gateOf({ burst: 50, callsPerSecond: 50, ...can })
    for (let count = 0; count < 3; count++) parts.ask(() => no('TRANSIENT'))
    await parts.hand.pass(1)
    expect(parts.gate.isDown).toBe(true)
    parts.calledMs.length = 0
    return parts
  }

  test.each(['TRANSIENT', 'AMBIGUOUS', 'AUTH', 'BILLING'] as const)('is one after three times %s', async (name) => {
    const { hand, gate, ask } = gateOf()
    ask(() => no(name))
    ask(() => no(name))
    await hand.pass(1)
    expect(gate.isDown).toBe(false)
    ask(() => no(name))
    await hand.pass(1)
    expect(gate.isDown).toBe(true)
  })

  test.each(['SOLD_OUT', 'OFFER_GONE', 'NO_MATCHING_SHAPE', 'QUOTA', 'BAD_REQUEST'] as const)(
    'is not one that refuses with %s: a refusal is an answer',
    async (name) => {
      const { hand, gate, ask } = gateOf()
      ask(() => no('TRANSIENT'))
      ask(() => no('TRANSIENT'))
      ask(() => no(name))
      ask(() => no('TRANSIENT'))
      await hand.pass(1)
      expect(gate.isDown).toBe(false)
    },
  )

  test('is felt for by one call at a time, though many wait', async () => {
    const { hand, ask, calledMs } = await down({ deadlineMs: 20_000 })
    for (let count = 0; count < 10; count++) ask(never)
    await hand.pass(19_000)
    expect(calledMs).toHaveLength(1)
  })

  test('is felt for by one call, also when many are made in the same moment after the pause', async () => {
    const { hand, ask, calledMs } = await down({ deadlineMs: 20_000 })
    await hand.pass(5000)
    for (let count = 0; count < 10; count++) ask(never)
    await hand.pass(1000)
    expect(calledMs).toHaveLength(1)
  })

  test('is up again after one answer, and every waiting call is let through', async () => {
    const { hand, gate, ask, answers } = await down()
    answers.length = 0
    for (let count = 0; count < 5; count++) ask(() => OK)
    await hand.pass(10_000)
    expect(gate.isDown).toBe(false)
    expect(answers).toEqual([OK, OK, OK, OK, OK])
  })

  test('is asked less and less often, but at least every half minute or so', async () => {
    const { hand, ask, calledMs } = await down()
    for (let count = 0; count < 200; count++) ask(() => no('TRANSIENT'))
    await hand.pass(600_000)
    const gaps = calledMs.slice(1).map((atMs, index) => atMs - (calledMs[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(32_000)
    expect(Math.min(...gaps.slice(8))).toBeGreaterThanOrEqual(15_000)
    expect(calledMs.length).toBeGreaterThan(20)
  })
})

describe('provider gates', () => {
  test('are one for each provider, and a new one when it was opened anew', () => {
    const gates = new ProviderGates(new Hand().deps)
    const [one, again] = [silentProvider(), silentProvider()]
    expect(gates.of(one)).toBe(gates.of(one))
    expect(gates.of(again)).not.toBe(gates.of(one))
    expect(gates.state('north')).toMatchObject({ isDown: false, counts: [] })
    expect(gates.state('south')).toBeUndefined()
  })
})
