import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offer } from '../offer/offer.suite.ts'
import { applied, isNothing, type WorkloadRecord } from './change.ts'
import { Faithful } from './faithful.suite.ts'
import {
  bindInput,
  clusters,
  situation,
  job,
  recordOf,
  NOW_MS,
  placed,
  service,
  tagged,
  workloadOf,
} from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { reconcile } from './reconcile.ts'
import { identityOf } from './identity.ts'
import { slotsWanted } from './slots.ts'
import type { Workload } from './workload.ts'
import { cases } from '../base/laws.suite.ts'

const PHASES: readonly Phase[] = ['reserved', 'unknown', 'starting', 'running', 'stopping', 'gone']
const RUNS = cases(300)
const TEXTS = [
  service(1),
  service(3),
  service(2, 'migration: { on: [drain] }\n'),
  clusters(2, 2),
  job(),
  job('nodes: 3\n'),
  job('nodes: 2\nmax_duration: 1h\n'),
]
const WORKLOADS = TEXTS.map((text) => workloadOf(text))

const workload = fc
  .record({
    base: fc.constantFrom(...WORKLOADS),
    want: fc.constantFrom('running', 'running', 'running', 'stopped', 'removed'),
    scale: fc.option(fc.nat(4), { nil: undefined }),
    generation: fc.constantFrom(1, 2),
  })
  .map(({ base, want, scale, generation }): Workload => {
    return { ...base, want, generation, scale: scale === undefined ? {} : { '': scale } }
  })

/** Any placement that a slot can have, also of an earlier workload of the name, or of another shape. */
function placementOf(owner: Workload, slot: string, nodes: number): fc.Arbitrary<Placement> {
  return fc
    .record({
      phase: fc.constantFrom(...PHASES),
      why: fc.constantFrom('died', 'finished', 'scaled-down', 'refused'),
      uid: fc.constantFrom('u1', 'u1', 'u1', 'u0'),
      isNamed: fc.boolean(),
      reservedMs: fc.constantFrom(NOW_MS - 60_000, NOW_MS - 1_000_000),
      isOther: fc.constantFrom(false, false, true),
    })
    .map(({ phase, why, uid, isNamed, reservedMs, isOther }) => {
      const leaving = phase === 'stopping' || phase === 'gone' ? { why } : {}
      const unnamed = phase === 'stopping' && !isNamed ? { instance: undefined } : {}
      const other = isOther || nodes !== owner.manifest.nodes ? { shape: 'another' } : {}
      const one = placed(owner, slot, phase, { reservedMs, ...leaving, ...unnamed, ...other })
      return tagged({ ...one, order: { ...one.order, nodes } }, { uid })
    })
}

const record: fc.Arbitrary<WorkloadRecord> = fc.tuple(workload, fc.constantFrom(2, 3)).chain(([owner, size]) => {
  const isGang = owner.manifest.nodes > 1
  const slots = isGang ? ['0.0', '0.1', '0.2'].slice(0, size) : ['0', '1', '2', '3']
  const each = slots.map((slot) => fc.option(placementOf(owner, slot, isGang ? size : 1), { nil: undefined }))
  return fc
    .record({
      placements: fc.tuple(...each),
      startedMs: fc.constantFrom(undefined, NOW_MS - 60_000, NOW_MS - 7_200_000),
      uid: fc.constantFrom('u1', 'u1', 'u1', 'u0'),
      generation: fc.constantFrom(1, 2),
    })
    .map(({ placements, ...status }) =>
      recordOf(
        owner,
        placements.filter((placement) => placement !== undefined),
        status,
      ),
    )
})

describe('reconcile', () => {
  test('has nothing more to write once its change is written', () => {
    fc.assert(
      fc.property(record, (before) => {
        const { change } = reconcile(before, situation())
        if (change.forget === true) return
        const again = reconcile(applied(before, change), situation())
        expect(again.change.placements).toEqual([])
        expect(isNothing(again.change) || again.change.forget === true).toBe(true)
      }),
      RUNS,
    )
  })

  test('never brings anything back, and never proves anything gone by itself but an intent', () => {
    fc.assert(
      fc.property(record, (before) => {
        for (const after of reconcile(before, situation()).change.placements) {
          const from = before.placements.get(after.order.tag.slot)?.phase
          expect(after.phase).toBe(from === 'reserved' ? 'gone' : 'stopping')
          expect(['reserved', 'unknown', 'starting', 'running']).toContain(from)
        }
      }),
      RUNS,
    )
  })

  test('wants a place only for slots of which nothing can be billed, and forgets only what has none', () => {
    fc.assert(
      fc.property(record, (before) => {
        const wanted = reconcile(before, situation())
        const after = applied(before, wanted.change)
        for (const { slot } of wanted.place.flat()) expect(after.placements.get(slot)?.phase ?? 'gone').toBe('gone')
        const isBilled = [...after.placements.values()].some(({ phase }) => phase !== 'gone')
        expect(wanted.change.forget === true).toBe(before.workload.want === 'removed' && !isBilled)
      }),
      RUNS,
    )
  })

  test('touches nothing about which a call is under way', () => {
    fc.assert(
      fc.property(record, (before) => {
        const wanted = reconcile(before, situation({ isBusy: () => true }))
        expect([wanted.change.placements, wanted.calls]).toEqual([[], []])
      }),
      RUNS,
    )
  })
})

describe('carrying everything out in a faithful world', () => {
  test('ends with every wanted slot running once, everything else gone, and nothing more to do', () => {
    fc.assert(
      fc.property(record, fc.boolean(), (before, tokens) => {
        const world = new Faithful(before, { capacity: bindInput([offer()]), tokens })
        const steps = world.settle()
        expect(steps).toBeLessThan(200)
        if (world.isForgotten) return
        const isOver = world.record.status.end !== undefined
        const wanted = new Set(isOver ? [] : slotsWanted(world.record.workload).map(({ slot }) => slot))
        for (const [slot, { phase, why, shape }] of world.record.placements) {
          // A machine of a gang that has finished waits for the others.
          if (slot.includes('.') && phase === 'gone' && why === 'finished') continue
          expect(`${slot} ${phase}`).toBe(`${slot} ${wanted.has(slot) ? 'running' : 'gone'}`)
          expect(world.billed(slot)).toBe(wanted.has(slot) ? 1 : 0)
          if (wanted.has(slot)) expect(shape).toBe(identityOf(world.record.workload.manifest, undefined))
        }
        for (const slot of wanted) expect(world.record.placements.has(slot)).toBe(true)
        expect(world.step()).toBe(false)
      }),
      RUNS,
    )
  })
})
