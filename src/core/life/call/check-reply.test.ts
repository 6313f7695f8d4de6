import { describe, expect, test } from 'vitest'
import {
  isSoundOffer,
  readDescribed,
  readFault,
  readGroup,
  readInstance,
  readLaunched,
  readListing,
  readStopped,
} from './check-reply.ts'
import { offer } from '../../offer/offer.suite.ts'

const TAG = { owner: 'o', project: 'p', workload: 'w', uid: 'u', slot: '0', epoch: 1, attempt: 'a' }
const INSTANCE = {
  instance: 'i-1',
  tag: TAG,
  state: 'up',
  healthy: true,
  exit: { kind: 'code', code: 1 },
  ports: { http: { host: '10.0.0.1', port: 80, tls: true } },
  usdPerHour: 1.5,
  endsAtMs: 1_800_000_000_000,
  checkpointMs: 1_700_000_000_000,
}

/** Values that money, quantities and times are not. */
const NO_AMOUNTS = [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '5', null, undefined, {}, [], true]
const NO_TEXTS = ['', 'x'.repeat(501), 5, null, undefined, {}, [], true]

describe('an instance', () => {
  test('that is sound is read whole, into something fresh', () => {
    expect(readInstance(INSTANCE)).toEqual(INSTANCE)
    expect(readInstance({ ...INSTANCE, surprise: 1 })).toEqual(INSTANCE)
  })

  test.each(NO_TEXTS)('is nothing when its name is %j', (instance) => {
    expect(readInstance({ ...INSTANCE, instance })).toBeUndefined()
  })

  test.each(Object.keys(TAG))('is nothing when its tag has no %s', (key) => {
    expect(readInstance({ ...INSTANCE, tag: { ...TAG, [key]: undefined } })).toBeUndefined()
    expect(readInstance({ ...INSTANCE, tag: { ...TAG, [key]: {} } })).toBeUndefined()
  })

  test.each(['STOPPED', 5, null, undefined, '__proto__'])('in state %j is unclear', (state) => {
    expect(readInstance({ ...INSTANCE, state })?.state).toBe('unclear')
  })

  test.each(['usdPerHour', 'endsAtMs', 'checkpointMs'])('loses a %s that cannot be one', (key) => {
    for (const value of NO_AMOUNTS) expect(readInstance({ ...INSTANCE, [key]: value })).not.toHaveProperty(key)
  })

  test.each(['yes', 1, null, {}])('loses health %j', (healthy) => {
    expect(readInstance({ ...INSTANCE, healthy })).not.toHaveProperty('healthy')
  })

  test('loses ports that are no addresses, and keeps the others', () => {
    const ports = { http: { host: 'a', port: 1, tls: false, more: 1 }, bad: 'a:1', worse: null }
    expect(readInstance({ ...INSTANCE, ports })?.ports).toEqual({ http: { host: 'a', port: 1, tls: false } })
    expect(readInstance({ ...INSTANCE, ports: ['a:1'] })).not.toHaveProperty('ports')
  })

  test.each([
    [
      { kind: 'code', code: 0 },
      { kind: 'code', code: 0 },
    ],
    [{ kind: 'code', code: 1.5 }, undefined],
    [{ kind: 'code', code: '0' }, undefined],
    [{ kind: 'code' }, undefined],
    [
      { kind: 'signal', signal: 'SIGKILL' },
      { kind: 'signal', signal: 'SIGKILL' },
    ],
    [{ kind: 'signal' }, { kind: 'signal', signal: '?' }],
    [
      { kind: 'start', why: 'no image' },
      { kind: 'start', why: 'no image' },
    ],
    [{ kind: 'start' }, { kind: 'start', why: '' }],
    [{ kind: 'machine' }, { kind: 'machine' }],
    [{ kind: 'preempted' }, { kind: 'preempted' }],
    [{ kind: 'out-of-memory' }, { kind: 'out-of-memory' }],
    [{ kind: 'constructor' }, undefined],
    [{}, undefined],
    ['code', undefined],
  ])('that ended by %j ended by %j', (exit, read) => {
    expect(readInstance({ ...INSTANCE, exit })?.exit).toEqual(read)
  })
})

describe('a list', () => {
  test('with an entry that cannot be read is not complete', () => {
    expect(readListing({ instances: [INSTANCE, { instance: 'i-2' }], complete: true })).toEqual({
      instances: [INSTANCE],
      complete: false,
    })
  })

  test.each([true, false, 'true', 1, undefined])('that says complete: %j is so only for true', (complete) => {
    expect(readListing({ instances: [], complete })).toEqual({ instances: [], complete: complete === true })
  })

  test.each([undefined, null, [], 'x', {}, { instances: {} }, { instances: null, complete: true }])(
    '%j is none',
    (value) => {
      expect(readListing(value)).toBeUndefined()
    },
  )
})

describe('a description', () => {
  test('is an instance, that there is none, or nothing', () => {
    expect(readDescribed(INSTANCE)).toEqual(INSTANCE)
    expect(readDescribed({ state: 'absent' })).toEqual({ state: 'absent' })
    expect([readDescribed(null), readDescribed('absent'), readDescribed({ state: 'up' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a launch', () => {
  test('has a name and a price, or is nothing', () => {
    expect(readLaunched({ instance: 'i', usdPerHour: 0, more: 1 })).toEqual({ instance: 'i', usdPerHour: 0 })
    const quoted = { instance: 'i', usdPerHour: 1, isQuoted: true }
    expect(readLaunched(quoted)).toEqual(quoted)
    expect(readLaunched({ ...quoted, isQuoted: 'yes' })).toEqual({ instance: 'i', usdPerHour: 1 })
    for (const usdPerHour of NO_AMOUNTS) expect(readLaunched({ instance: 'i', usdPerHour })).toBeUndefined()
    for (const instance of NO_TEXTS) expect(readLaunched({ instance, usdPerHour: 1 })).toBeUndefined()
  })
})

describe('the launch of a group', () => {
  const MEMBERS = [
    { instance: 'i-0', usdPerHour: 1 },
    { instance: 'i-1', usdPerHour: 1 },
  ]

  test('is read if it names each member', () => {
    expect(readGroup(MEMBERS, 2)).toEqual(MEMBERS)
  })

  test.each([
    [MEMBERS, 3],
    [MEMBERS, 1],
    [[MEMBERS[0], MEMBERS[0]], 2],
    [[MEMBERS[0], { instance: 'i-1' }], 2],
    [[MEMBERS[0], undefined], 2],
    [{ members: MEMBERS }, 2],
    [undefined, 2],
  ])('%j of %i says nothing', (value, size) => {
    expect(readGroup(value, size)).toBeUndefined()
  })
})

test('a reason is read for what is queued, and for nothing else', () => {
  expect(readInstance({ ...INSTANCE, state: 'queued', reason: 'Priority' })).toMatchObject({ reason: 'Priority' })
  expect(readInstance({ ...INSTANCE, state: 'queued', reason: 5 })).not.toHaveProperty('reason')
  expect(readInstance({ ...INSTANCE, reason: 'Priority' })).not.toHaveProperty('reason')
})

describe('a stop', () => {
  test('says whether it is gone, or nothing', () => {
    expect([readStopped({ gone: true }), readStopped({ gone: false })]).toEqual([{ gone: true }, { gone: false }])
    expect([readStopped({ gone: 1 }), readStopped({}), readStopped(true)]).toEqual([undefined, undefined, undefined])
  })
})

describe('a fault', () => {
  test('that is sound is read whole', () => {
    const more = { created: 'maybe', instance: 'i-1' }
    const fault = { class: 'QUOTA', message: 'no more', scope: 'region', ttlMs: 5, retryAfterMs: 6, ...more }
    expect(readFault(fault, 'AMBIGUOUS')).toEqual(fault)
  })

  test.each([undefined, 'NOT_A_CLASS', 'toString', '__proto__', 5, null])('of class %j counts as unknown', (name) => {
    expect(readFault({ class: name, message: 'm' }, 'AMBIGUOUS')).toEqual({ class: 'AMBIGUOUS', message: 'm' })
    expect(readFault({ class: name, message: 'm' }, 'TRANSIENT').class).toBe('TRANSIENT')
  })

  test('loses what cannot be a scope or a time', () => {
    for (const value of NO_AMOUNTS) {
      const read = readFault(
        { class: 'QUOTA', message: 'm', scope: value, ttlMs: value, retryAfterMs: value },
        'TRANSIENT',
      )
      expect(read).toEqual({ class: 'QUOTA', message: 'm' })
    }
  })

  test('has a message of at most 500 characters, whatever comes', () => {
    expect(readFault({ class: 'AUTH', message: 'x'.repeat(900) }, 'TRANSIENT').message).toHaveLength(500)
    expect(readFault({ class: 'AUTH', message: { toString: 1, valueOf: 1 } }, 'TRANSIENT').class).toBe('AUTH')
    expect(readFault(undefined, 'TRANSIENT').message).toBe('the reply could not be understood')
  })
})

describe('an offer', () => {
  test('is sound when its quantities can be quantities', () => {
    expect(isSoundOffer(offer())).toBe(true)
    expect(isSoundOffer({ ...offer(), usdPerHour: undefined, stock: undefined })).toBe(true)
  })

  test.each(['id', 'provider', 'region', 'instance'])('needs its %s', (key) => {
    for (const value of NO_TEXTS) expect(isSoundOffer({ ...offer(), [key]: value })).toBe(false)
  })

  test.each(['cpu', 'memoryGib', 'diskGib', 'usdPerHour', 'spotUsdPerHour', 'quotaLeft', 'startSeconds'])(
    'is not believed with a %s that is none',
    (key) => {
      for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '5', {}]) {
        expect(isSoundOffer({ ...offer(), [key]: value })).toBe(false)
      }
    },
  )

  test('is not believed with units that are none', () => {
    for (const units of [-1, Number.NaN, '3']) {
      expect(isSoundOffer({ ...offer(), stock: { level: 'available', units } })).toBe(false)
    }
  })
})
