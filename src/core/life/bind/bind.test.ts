import { describe, expect, test } from 'vitest'
import { offer } from '../../offer/offer.suite.ts'
import type { Offer } from '../../offer/offer.ts'
import { bind } from './bind.ts'
import { hasPlace } from './has-place.ts'
import type { BindInput } from './chosen.ts'
import { applied, type Change, type WorkloadRecord } from '../change.ts'
import {
  bindInput,
  situation,
  at,
  job,
  recordOf,
  NOW_MS,
  placed,
  SECOND_MS,
  service,
  workloadOf,
} from '../keep.suite.ts'
import { reconcile } from '../reconcile.ts'
import { slotsWanted } from '../slots.ts'
import type { Workload } from '../workload.ts'

const CHEAP = offer({ provider: 'beta', instance: 'cheap', usdPerHour: 3 })
const DEAR = offer({ provider: 'alpha', instance: 'dear', usdPerHour: 4 })

function single(id: string, units: number, usdPerHour = 4): Offer {
  return offer({ instance: id, usdPerHour, stock: { level: 'available', units, seenAtMs: undefined } })
}

/** What reconcile wants placed, with places from these offers. */
function placedOn(record: WorkloadRecord, capacity: BindInput): Change {
  return bind(record, reconcile(record, situation()).place, capacity)
}

function chosen({ placements }: Change): readonly string[] {
  return placements.map(({ order: { tag, place } }) => `${tag.slot} ${place.instance}`)
}

function code(change: Change): string | undefined {
  return change.status?.waiting?.code
}

describe('a slot that is given a place', () => {
  test('has an intent with everything the provider needs, on the best offer', () => {
    const record = recordOf(workloadOf(service(1, 'command: [serve]\nargs: [-v]\nenv: { A: "1" }\nsecrets: [TOKEN]\n')))
    const change = placedOn(record, bindInput([DEAR, CHEAP]))
    expect(change.placements).toHaveLength(1)
    expect(change.placements[0]).toMatchObject({
      phase: 'reserved',
      sinceMs: NOW_MS,
      reservedMs: NOW_MS,
      calledMs: NOW_MS,
      reserved: { gpus: 2, usdPerHour: 3 },
      because: 'the best that fits',
      order: {
        tag: { owner: 'o1', project: 'default', workload: 'demo', uid: 'u1', slot: '0', epoch: 1, attempt: 'n1' },
        place: { offer: CHEAP.id, provider: 'beta', region: 'eu-1', zone: 'a', instance: 'cheap', market: 'on-demand' },
        command: ['serve'],
        args: ['-v'],
        env: { A: '1' },
        secrets: ['TOKEN'],
        gpus: 2,
        usdPerHourMax: 3,
      },
    })
    expect(change.events).toMatchObject([{ kind: 'placed', facts: { slot: '0', epoch: 1, usd_per_hour: 3 } }])
    expect(change.status).toBeUndefined()
  })

  test('gets the epoch after its last one, and a new attempt', () => {
    const workload = workloadOf(service(2))
    const change = placedOn(recordOf(workload, [placed(workload, '0', 'gone')]), bindInput([CHEAP]))
    const tags = change.placements.map(({ order: { tag } }) => [tag.slot, tag.epoch, tag.attempt])
    expect(tags).toEqual([
      ['0', 2, 'n1'],
      ['1', 1, 'n2'],
    ])
  })

  test('resumes where its last checkpoint was', () => {
    const workload = workloadOf(job('checkpoint: { path: /save, every: 10m }\n'))
    const change = placedOn(recordOf(workload, [], { resumePoints: { 0: 77 } }), bindInput([CHEAP]))
    expect(change.placements[0]?.order.resumeFromMs).toBe(77)
  })

  test('knows its rank in a gang', () => {
    const record = recordOf(workloadOf(job('nodes: 2\n')))
    const { placements } = placedOn(record, bindInput([CHEAP]))
    expect(placements.map(({ order }) => order.env)).toEqual([
      { BERTH_RANK: '0', BERTH_NODES: '2' },
      { BERTH_RANK: '1', BERTH_NODES: '2' },
    ])
  })

  test('knows what runs its command over the gang: Ray, or Ray Serve for a service', () => {
    const ofRay = (text: string): readonly unknown[] =>
      placedOn(recordOf(workloadOf(text)), bindInput([CHEAP])).placements.map(({ order }) => order.framework)
    const serve = 'command: [serve, run, app:main]\nframework: ray\n'
    expect(ofRay(job('command: [a]\nframework: ray\n'))).toEqual(['ray'])
    expect(ofRay(service(1, serve))).toEqual(['ray-serve'])
    expect(ofRay(service(1, `nodes: 2\n${serve}`))).toEqual(['ray-serve', 'ray-serve'])
    expect(ofRay(service())).toEqual([undefined])
  })

  test('knows what its gang must share, for providers that pick the machines themselves', () => {
    const gang = placedOn(recordOf(workloadOf(job('nodes: 2\n'))), bindInput([CHEAP]))
    expect(gang.placements.map(({ order }) => order.within)).toEqual([undefined, undefined])
    const near = { ...CHEAP, domain: 'rack' as const }
    const inRack = placedOn(recordOf(workloadOf(job('nodes: 2\ntopology: { within: rack }\n'))), bindInput([near]))
    expect(inRack.placements.map(({ order }) => order.within)).toEqual(['rack', 'rack'])
  })

  test('knows where its gang meets, where the provider can say, and a word of the manifest counts before', () => {
    const record = recordOf(workloadOf(job('nodes: 2\nenv: { MASTER_PORT: "4000" }\n')))
    const rendezvous = () => ({ kind: 'names', pattern: '{workload}-{rank}' }) as const
    const { placements } = placedOn(record, bindInput([CHEAP], { rendezvous }))
    expect(placements.map(({ order: { env } }) => [env['MASTER_ADDR'], env['MASTER_PORT'], env['RANK']])).toEqual([
      ['demo-0', '4000', '0'],
      ['demo-0', '4000', '1'],
    ])
    expect(placements[0]?.order.meeting).toEqual({ hosts: ['demo-0', 'demo-1'], port: 29_500 })
  })
})

describe('the decision', () => {
  test('is kept with the placement: what there was, what was turned down, the next best', () => {
    const small = offer({ provider: 'beta', instance: 'small', usdPerHour: 1, gpu: undefined })
    const { placements } = placedOn(recordOf(workloadOf(service())), bindInput([DEAR, CHEAP, small]))
    expect(placements[0]?.decision).toEqual({
      atMs: NOW_MS,
      policy: 'default',
      candidates: 3,
      fitting: 2,
      refused: { NO_GPU: 1 },
      runnerUp: { offer: DEAR.id, usdPerHour: 4 },
    })
  })
})

describe('a workload that one place called wrong', () => {
  const places = [{ at: 'beta', why: 'no such program' }]
  const soldOut = { ...DEAR, stock: { level: 'sold_out' as const, units: 0, seenAtMs: undefined } }

  test('goes to the next best place, and asks the first again only with another manifest', () => {
    const workload = workloadOf(service())
    const capacity = bindInput([CHEAP, DEAR])
    const refusedBy = { generation: 1, places }
    expect(chosen(placedOn(recordOf(workload, [], { refusedBy }), capacity))).toEqual(['0 dear'])
    const changed = workloadOf(service(), { generation: 2 })
    expect(chosen(placedOn(recordOf(changed, [], { refusedBy }), capacity))).toEqual(['0 cheap'])
  })

  test('waits for a place that has nothing left now, and is not sent back', () => {
    const record = recordOf(workloadOf(service()), [], { refusedBy: { generation: 1, places } })
    expect(chosen(placedOn(record, bindInput([CHEAP, soldOut])))).toEqual([])
  })

  test('asks again where every place rejected it, and only then says so', () => {
    const everywhere = [...places, { at: 'alpha', why: 'no such program' }]
    const record = recordOf(workloadOf(service()), [], { refusedBy: { generation: 1, places: everywhere } })
    expect(chosen(placedOn(record, bindInput([CHEAP, DEAR])))).toEqual(['0 cheap'])
  })

  test('does not wait any more', () => {
    const waiting = { sinceMs: 1, code: 'SOLD_OUT', text: '', nextLookMs: 1 }
    const change = placedOn(recordOf(workloadOf(service()), [], { waiting }), bindInput([CHEAP]))
    expect(change.status).toMatchObject({ waiting: undefined })
  })

  test('never is at a place with a remembered refusal, until that expires', () => {
    const { provider, region, instance } = CHEAP
    const memory = { provider, region, instance, why: 'sold-out', atMs: NOW_MS, untilMs: NOW_MS + 5 } as const
    const record = recordOf(workloadOf(service()))
    expect(chosen(placedOn(record, bindInput([CHEAP, DEAR], {}, [memory])))).toEqual(['0 dear'])
    expect(chosen(placedOn(record, bindInput([CHEAP, DEAR], { nowMs: NOW_MS + 5 }, [memory])))).toEqual(['0 cheap'])
  })
})

describe('limits of a project', () => {
  const two = recordOf(workloadOf(service(2)))
  const limits = (change: Partial<BindInput['limits']>): BindInput['limits'] => ({
    gpusMax: undefined,
    usdPerHourMax: undefined,
    workloadsMax: undefined,
    ...change,
  })

  test('are kept exactly: the last card that is allowed may be used, and no more', () => {
    const usage = { gpus: 4, usdPerHour: 0 }
    const all = placedOn(two, bindInput([CHEAP], { usage, limits: limits({ gpusMax: 8 }) }))
    expect(all.placements).toHaveLength(2)
    const part = placedOn(two, bindInput([CHEAP], { usage, limits: limits({ gpusMax: 7 }) }))
    expect(chosen(part)).toEqual(['0 cheap'])
    expect(part.status?.waiting).toMatchObject({
      code: 'QUOTA_PROJECT',
      text: 'project default may use 7 GPUs and uses 6; this needs 2: free 1 or ask an administrator: berth project set default --gpus 8',
    })
  })

  test('are kept to the cent, and rounding is no money', () => {
    const usage = { gpus: 0, usdPerHour: 0.1 + 0.2 }
    const exact = placedOn(two, bindInput([CHEAP], { usage, limits: limits({ usdPerHourMax: 6.3 }) }))
    expect(exact.placements).toHaveLength(2)
    const below = placedOn(two, bindInput([CHEAP], { usage, limits: limits({ usdPerHourMax: 6.29 }) }))
    expect(chosen(below)).toEqual(['0 cheap'])
    expect(below.status?.waiting).toMatchObject({
      code: 'BUDGET_PROJECT',
      text: 'project default may spend $6.29 an hour and spends $3.30; this costs $3.00: stop work of $0.01 an hour or ask an administrator: berth project set default --usd-per-hour 6.3',
    })
  })

  test('let a gang begin only whole', () => {
    const gang = recordOf(workloadOf(job('nodes: 2\n')))
    const change = placedOn(gang, bindInput([CHEAP], { limits: limits({ gpusMax: 3 }) }))
    expect([change.placements, code(change)]).toEqual([[], 'QUOTA_PROJECT'])
  })
})

describe('a wait', () => {
  const record = recordOf(workloadOf(service()))

  test('is told once, with a code, a line and the time of the next look', () => {
    const change = placedOn(record, bindInput([]))
    expect(change.status?.waiting).toEqual({
      sinceMs: NOW_MS,
      code: 'NO_OFFERS',
      text: 'no provider offers anything now',
      nextLookMs: NOW_MS + 30 * SECOND_MS,
    })
    expect(change.events).toMatchObject([{ kind: 'waiting', facts: { code: 'NO_OFFERS' } }])
    expect(placedOn(applied(record, change), bindInput([], { nowMs: NOW_MS + 9 }))).toEqual({
      placements: [],
      events: [],
    })
  })

  test('keeps its beginning when its reason changes', () => {
    const first = applied(record, placedOn(record, bindInput([])))
    const sold = single('large', 0)
    const gone = { ...sold, stock: { level: 'sold_out' as const, units: 0, seenAtMs: undefined } }
    const change = placedOn(first, bindInput([gone], { nowMs: NOW_MS + 9 }))
    expect(change.status?.waiting).toMatchObject({
      sinceMs: NOW_MS,
      text: expect.stringContaining('1 offer turned down'),
    })
    expect(change.events).toHaveLength(1)
  })

  test('says how many were placed when no offer is left then', () => {
    const change = placedOn(recordOf(workloadOf(service(3))), bindInput([single('large', 2)]))
    expect(chosen(change)).toEqual(['0 large', '1 large'])
    expect(change.status?.waiting).toMatchObject({
      code: 'NOT_ENOUGH_LEFT',
      text: 'no more of what fits is left (2 placed)',
    })
  })

  test('names what time can change before what will never fit', () => {
    const small = offer({ instance: 'small', gpu: { model: 'l4', count: 1, slice: undefined, link: 'pcie' } })
    const gone = offer({ instance: 'gone', stock: { level: 'sold_out', units: 0, seenAtMs: undefined } })
    const change = placedOn(record, bindInput([small, offer({ ...small, id: 'other', region: 'eu-2' }), gone]))
    expect(code(change)).toBe('SOLD_OUT')
  })

  test('is for a second place where replicas must lie apart', () => {
    const spread = recordOf(workloadOf(service(2, 'spread: provider\n')))
    const change = placedOn(spread, bindInput([CHEAP]))
    expect(chosen(change)).toEqual(['0 cheap'])
    expect(change.status?.waiting).toMatchObject({
      code: 'SPREAD',
      text: 'only one provider has room, and replicas must be spread',
    })
  })
})

describe('spread', () => {
  test('counts what runs already', () => {
    const workload = workloadOf(service(2, 'spread: provider\n'))
    const there = at(placed(workload, '0', 'running'), { provider: 'beta' })
    const change = placedOn(recordOf(workload, [there]), bindInput([CHEAP, DEAR]))
    expect(chosen(change)).toEqual(['1 dear'])
  })

  test('waits rather than put the second beside the first', () => {
    const workload = workloadOf(service(2, 'spread: provider\n'))
    const there = at(placed(workload, '0', 'running'), { provider: 'beta' })
    const change = placedOn(recordOf(workload, [there]), bindInput([CHEAP]))
    expect([chosen(change), code(change)]).toEqual([[], 'SPREAD'])
  })

  test('does not count what is gone', () => {
    const workload = workloadOf(service(2, 'spread: provider\n'))
    const gone = at(placed(workload, '0', 'gone'), { provider: 'beta' })
    expect(chosen(placedOn(recordOf(workload, [gone]), bindInput([CHEAP, DEAR]))).toSorted()).toEqual([
      '0 cheap',
      '1 dear',
    ])
  })
})

describe('a pinned plan', () => {
  const pinned = (pins: Workload['pinned'], text = service()): WorkloadRecord =>
    recordOf(workloadOf(text, { pinned: pins }))
  const onDear = [{ slot: '0', offer: DEAR.id, usdPerHour: 4 }]

  test('binds its own places, though there are better ones now', () => {
    const change = placedOn(pinned(onDear), bindInput([CHEAP, DEAR]))
    expect(chosen(change)).toEqual(['0 dear'])
    expect(change.placements[0]?.order.usdPerHourMax).toBe(4)
  })

  test('binds what is cheaper now, and nothing dearer', () => {
    expect(chosen(placedOn(pinned(onDear), bindInput([offer({ ...DEAR, usdPerHour: 3.5 }), CHEAP])))).toEqual([
      '0 dear',
    ])
    expect(placedOn(pinned(onDear), bindInput([offer({ ...DEAR, usdPerHour: 4.01 }), CHEAP]))).toMatchObject({
      placements: [],
      status: { end: { state: 'failed', why: expect.stringContaining('it costs $4.01 an hour now') } },
      events: [{ kind: 'failed', facts: { code: 'PLAN_STALE' } }],
    })
  })

  test.each([
    ['no provider offers it any more', onDear, [CHEAP]],
    [
      'it fails SOLD_OUT now',
      onDear,
      [{ ...DEAR, stock: { level: 'sold_out', units: 0, seenAtMs: undefined } }, CHEAP],
    ],
    ['the plan has no place for it', [{ slot: '7', offer: DEAR.id, usdPerHour: 4 }], [DEAR, CHEAP]],
  ] as const)('ends when %s', (why, pins, capacity) => {
    const change = placedOn(pinned(pins), bindInput([...capacity]))
    expect(change.placements).toEqual([])
    expect(change.status?.end).toMatchObject({ state: 'failed', atMs: NOW_MS })
    expect(change.status?.end?.why).toContain(why)
  })

  test('binds all of it or nothing', () => {
    const pins = [...onDear, { slot: '1', offer: 'nowhere', usdPerHour: 9 }]
    const change = placedOn(pinned(pins, service(2)), bindInput([CHEAP, DEAR]))
    expect(change.placements).toEqual([])
    expect(change.status?.end?.state).toBe('failed')
  })

  test('waits for the budget of its project', () => {
    const limits = { gpusMax: 1, usdPerHourMax: undefined, workloadsMax: undefined }
    const change = placedOn(pinned(onDear), bindInput([CHEAP, DEAR], { limits }))
    expect([change.placements, code(change), change.status?.end]).toEqual([[], 'QUOTA_PROJECT', undefined])
  })

  test('that was refused by its provider is not bound anywhere else', () => {
    const { workload } = pinned(onDear)
    const refused = placed(workload, '0', 'gone', { why: 'refused' })
    const change = placedOn(recordOf(workload, [refused]), bindInput([CHEAP]))
    expect(chosen(change)).toEqual([])
  })
})

describe('a place to move to', () => {
  const workload = workloadOf(service(1))
  const desiredSlots = [slotsWanted(workload)]

  test('is there or not', () => {
    const record = recordOf(workload, [placed(workload, '0', 'running')])
    expect([hasPlace(record, desiredSlots, bindInput([CHEAP])), hasPlace(record, desiredSlots, bindInput([]))]).toEqual(
      [true, false],
    )
  })
})
