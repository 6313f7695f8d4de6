import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exit } from './call/exit.ts'
import { instanceOf, job, recordOf, NOW_MS, placed, service, SETTLE_MS, slotIn, workloadOf } from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { see, type Evidence } from './evidence.ts'
import { cases } from '../base/laws.suite.ts'

const PHASES: readonly Phase[] = ['reserved', 'unknown', 'starting', 'running', 'stopping', 'gone']
const WORKLOADS = [workloadOf(service()), workloadOf(job()), workloadOf(job('completions: 3\n'))]
const timeMs = fc.integer({ min: NOW_MS - 2 * SETTLE_MS, max: NOW_MS })
const exit: fc.Arbitrary<Exit | undefined> = fc.constantFrom(
  undefined,
  { kind: 'code', code: 0 },
  { kind: 'code', code: 1 },
  { kind: 'machine' },
  { kind: 'preempted' },
)

/** Any evidence of any placement: late or early, of something or of nothing. */
const seen = fc
  .record({
    workload: fc.constantFrom(...WORKLOADS),
    phase: fc.constantFrom(...PHASES),
    calledMs: timeMs,
    absentMs: fc.option(timeMs, { nil: undefined }),
    isNamed: fc.boolean(),
    from: fc.constantFrom('list' as const, 'describe' as const),
    issuedMs: timeMs,
    state: fc.constantFrom(undefined, 'starting' as const, 'up' as const, 'ended' as const, 'unclear' as const),
    exit,
  })
  .map(({ workload, phase, calledMs, absentMs, isNamed, from, issuedMs, state, exit: end }) => {
    const named = isNamed || phase === 'starting' || phase === 'running'
    const placement = placed(workload, '0', phase, { calledMs, absentMs, instance: named ? 'i-0-1' : undefined })
    const shown = state && instanceOf(placement, { state, ...(end && { exit: end }) })
    const evidence: Evidence = {
      instance: shown,
      from,
      issuedMs,
      settleMs: SETTLE_MS,
      tokens: false,
      nowMs: NOW_MS,
      chance: 0.5,
    }
    return { record: recordOf(workload, [placement]), evidence }
  })

function outcome({
  record,
  evidence,
}: {
  record: ReturnType<typeof recordOf>
  evidence: Evidence
}): Placement | 'look' | undefined {
  const change = see(record, slotIn(record, '0'), evidence)
  return change === 'look' ? 'look' : change.placements[0]
}

const RUNS = cases(500)

describe('evidence', () => {
  test('older than the last call and its window never makes anything gone', () => {
    fc.assert(
      fc.property(seen, (each) => {
        const before = slotIn(each.record, '0')
        const after = outcome(each)
        if (after === undefined || after === 'look' || after.phase !== 'gone' || before.phase === 'gone') return
        expect(each.evidence.issuedMs).toBeGreaterThanOrEqual(before.calledMs + SETTLE_MS)
        expect(each.evidence.instance).toBeUndefined()
      }),
      RUNS,
    )
  })

  test('of nothing makes only gone what was asked for by its name, or missed twice', () => {
    fc.assert(
      fc.property(seen, (each) => {
        const before = slotIn(each.record, '0')
        const after = outcome(each)
        if (after === undefined || after === 'look' || after.phase !== 'gone') return
        const isByName = before.instance !== undefined && each.evidence.from === 'describe'
        const isMissed =
          before.instance === undefined && each.evidence.issuedMs >= (before.absentMs ?? Infinity) + 30_000
        expect(isByName || isMissed).toBe(true)
      }),
      RUNS,
    )
  })

  test('never leads back out of stopping, and touches nothing that is reserved or gone', () => {
    fc.assert(
      fc.property(seen, (each) => {
        const { phase } = slotIn(each.record, '0')
        const after = outcome(each)
        if (phase === 'reserved' || phase === 'gone') expect(after).toBeUndefined()
        if (phase === 'stopping' && after !== 'look') expect(['stopping', 'gone']).toContain(after?.phase ?? 'stopping')
      }),
      RUNS,
    )
  })

  test('that was taken in is no news the second time', () => {
    fc.assert(
      fc.property(seen, (each) => {
        const after = outcome(each)
        if (after === undefined || after === 'look' || after.phase === 'stopping') return
        const again = outcome({ ...each, record: recordOf(each.record.workload, [after]) })
        expect(again).toBeUndefined()
      }),
      RUNS,
    )
  })
})
