import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { leastLoaded, shareOf, SLOW_START_MS } from './balance.ts'
import { afterOutcome, BROKEN_MAX, ERRORS_MAX, mayEjectOneMore, NO_EXPERIENCE, type Experience } from './outlier.ts'
import { earned, isRepeatable, RETRIES, spent, type RetryBudget } from './retry.ts'
import { addressIn } from './route.ts'
import { endpointOf, targetOf } from './target.ts'
import { usableOf, type Witnessed } from './usable.ts'

describe('the service of a request', () => {
  const isKnown = (key: string): boolean => key === 'lab/chat'

  test.each([
    ['chat.lab.example.com', '/v1/x?a=b', '/v1/x?a=b', ''],
    ['chat.lab', '/', '/', ''],
    ['10.0.0.1', '/lab/chat/v1/x?a=b', '/v1/x?a=b', '/lab/chat'],
    ['10.0.0.1', '/lab/chat', '/', '/lab/chat'],
    ['10.0.0.1', '/lab/chat?a', '/?a', '/lab/chat'],
    ['gateway.example.com', '/lab/chat/', '/', '/lab/chat'],
  ])('%s%s', (host, path, seen, prefix) => {
    expect(targetOf(host, path, isKnown)).toEqual({ key: 'lab/chat', path: seen, prefix })
  })

  test.each(['/lab/chatter/', '/lab', '/', '/Lab/chat/', '/lab/../chat', '/lab/%63hat/'])('%s is none', (path) => {
    expect(targetOf('h', path, isKnown)).toBeUndefined()
  })

  test('is found at its endpoint', () => {
    const at = { project: 'lab', name: 'chat' }
    expect(endpointOf('http://127.0.0.1:7800', at)).toBe('http://127.0.0.1:7800/lab/chat/')
    expect(endpointOf('https://*.example.com', at)).toBe('https://chat.lab.example.com/')
  })
})

test.each(['10.0.0.1:8000', '[fd00::1]:80', 'tls://pod.example.com:443'])('%s is an address', (text) => {
  expect(addressIn(text)).toBeDefined()
})
test.each(['10.0.0.1', 'x:99999', 'tls://a b:1', '', 'http://x:1'])('%s is none', (text) => {
  expect(addressIn(text)).toBeUndefined()
})

describe('balance', () => {
  const old = { sinceMs: 0 }
  const chance = { nowMs: 100_000, dice: 0 }

  test('the least loaded is chosen, and equals take turns', () => {
    const [one, two] = [
      { ...old, load: 2 },
      { ...old, load: 1 },
    ]
    expect(leastLoaded([one, two], chance)).toBe(two)
    const equals = [
      { ...old, load: 1 },
      { ...old, load: 1 },
    ]
    expect([0, 0.6].map((dice) => leastLoaded(equals, { ...chance, dice }))).toEqual(equals)
    expect(leastLoaded([one], chance, () => false)).toBeUndefined()
  })

  test('a new one gets its share little by little', () => {
    const fresh = { load: 1, sinceMs: chance.nowMs - 2000 }
    expect(shareOf(fresh, chance.nowMs)).toBeCloseTo(0.2)
    expect(leastLoaded([{ ...old, load: 3 }, fresh], chance)?.load).toBe(3)
    expect(leastLoaded([{ ...old, load: 6 }, fresh], chance)).toBe(fresh)
    expect(shareOf(fresh, chance.nowMs + SLOW_START_MS)).toBe(1)
  })

  test('a new one with nothing to do is chosen as soon as all others have something', () => {
    const fresh = { load: 0, sinceMs: chance.nowMs }
    expect(leastLoaded([{ ...old, load: 1 }, fresh], chance)).toBe(fresh)
    expect(leastLoaded([fresh, { ...old, load: 0 }], chance)).toBe(fresh)
  })

  test('where all are new, nobody waits for them', () => {
    const both = [
      { load: 1, sinceMs: chance.nowMs },
      { load: 0, sinceMs: chance.nowMs - 500 },
    ]
    expect(leastLoaded(both, chance)).toBe(both[1])
  })
})

describe('outliers', () => {
  const at = (nowMs: number, mayEject = true) => ({ nowMs, mayEject })
  const times = (count: number, outcome: 'broken' | 'error', from: Experience = NO_EXPERIENCE): Experience =>
    Array.from({ length: count }).reduce<Experience>((before) => afterOutcome(before, outcome, at(1000)), from)

  test('a few failures in a row eject, and one answer in between does not', () => {
    expect(times(BROKEN_MAX - 1, 'broken').untilMs).toBe(0)
    expect(times(BROKEN_MAX, 'broken').untilMs).toBeGreaterThan(1000)
    expect(times(ERRORS_MAX, 'error').untilMs).toBeGreaterThan(1000)
    const mended = afterOutcome(times(BROKEN_MAX - 1, 'broken'), 'answered', at(1000))
    expect(times(1, 'broken', mended).untilMs).toBe(0)
  })

  test('each time it stays away longer', () => {
    const once = times(BROKEN_MAX, 'broken')
    const twice = Array.from({ length: BROKEN_MAX }).reduce<Experience>(
      (before) => afterOutcome(before, 'broken', at(once.untilMs)),
      once,
    )
    expect(twice.untilMs - once.untilMs).toBe(2 * (once.untilMs - 1000))
  })

  test('only a share of them', () => {
    expect([1, 2, 3, 4, 10].map((count) => mayEjectOneMore(count, 0))).toEqual([false, true, true, true, true])
    expect(mayEjectOneMore(4, 2)).toBe(false)
    expect(afterOutcome(times(BROKEN_MAX - 1, 'broken'), 'broken', at(1000, false)).untilMs).toBe(0)
  })
})

describe('retries', () => {
  test('only what does no harm twice', () => {
    expect(
      ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].every((method) => isRepeatable({ method, isMarkedSafe: false })),
    ).toBe(true)
    expect(['POST', 'PATCH'].map((method) => isRepeatable({ method, isMarkedSafe: false }))).toEqual([false, false])
    expect(isRepeatable({ method: 'POST', isMarkedSafe: true })).toBe(true)
  })

  test('at most a share of the requests', () => {
    let budget: RetryBudget | undefined = { tokens: RETRIES.most }
    let retries = 0
    for (; budget !== undefined; budget = spent(budget)) retries++
    expect(retries).toBeLessThanOrEqual(201)
    expect(spent(earned({ tokens: 0 }, RETRIES))).toBeUndefined()
    expect(spent(earned({ tokens: 0.9 }, RETRIES))).toBeDefined()
  })
})

describe('usable replicas', () => {
  const one = (state: Witnessed['route']['state'], health: Witnessed['health'], isOut = false): Witnessed => ({
    route: { state },
    health,
    wasWell: health === 'well',
    isEjected: () => isOut,
  })

  test('the gateway’s own experience counts more than the control plane’s', () => {
    const [ready, well, silent] = [one('ready', 'unknown'), one('ill', 'well'), one('ready', 'silent')]
    expect(usableOf([ready, well, silent, one('unseen', 'unknown'), one('ready', 'well', true)])).toEqual([ready, well])
  })

  test('the suspected are better than none, the dead and the leaving are not', () => {
    const [silent, out] = [one('ready', 'silent'), one('ready', 'well', true)]
    expect(usableOf([silent, out, one('ready', 'dead'), one('leaving', 'well')])).toEqual([silent, out])
    expect(usableOf([one('ready', 'dead'), one('leaving', 'well'), one('unseen', 'unknown')])).toEqual([])
  })

  test('one that is starting is used as soon as it answers, and not before, not even as the last one', () => {
    const [starting, well] = [one('unseen', 'silent'), one('unseen', 'well')]
    expect(usableOf([starting, well])).toEqual([well])
    expect(usableOf([starting])).toEqual([])
    const fellSilent = { ...starting, wasWell: true }
    expect(usableOf([fellSilent])).toEqual([fellSilent])
  })
})

test('callers in a queue take turns', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1']) queue.add(item.charAt(0), item)
  queue.remove('c', 'c1')
  expect(queue.size).toBe(4)
  expect(queue.takeAll()).toEqual(['a1', 'b1', 'a2', 'a3'])
  expect(queue.take()).toBeUndefined()
})
