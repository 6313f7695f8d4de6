import type { Refusal } from '../../../src/core/offer/offer.ts'
import type { Commit } from '../../../src/ports/store.ts'
import { stepsOf, type Check, type Evidence } from './check.ts'

const MINUTE_MS = 60_000
/** How long after its time a refusal may still lie in the store. */
const KEPT_MS = 20 * MINUTE_MS

interface Remembered {
  readonly refusal: Refusal
  readonly term: number | undefined
  /** On the true clock: when it has had its time. */
  readonly overMs: number
}

/** Refusals: remembered for their time, respected while they are, and forgotten after it. */
export function refusalsCheck({ mirror, witness, broke }: Evidence): Check {
  const known = new Map<string, Remembered>()
  return {
    written: (commit) => {
      const nowMs = witness.nowMs()
      for (const { kind, key, body } of commit.writes) {
        if (kind !== 'refusal') continue
        // Proven: rows of this kind hold refusals.
        const refusal = body as Refusal | undefined
        if (refusal === undefined) known.delete(key)
        else known.set(key, { refusal, term: commit.term, overMs: nowMs + refusal.untilMs - refusal.atMs })
      }
      checkRemembered(commit, broke)
      for (const { key, before, after } of stepsOf(commit, mirror)) {
        if (before !== undefined || after.phase !== 'reserved') continue
        const { place } = after.order
        const found = [...known.values()].find(({ refusal, term }) => {
          const isMeant =
            refusal.provider === place.provider &&
            (refusal.region ?? place.region) === place.region &&
            (refusal.instance ?? place.instance) === place.instance
          const isNow = after.reservedMs > refusal.atMs && after.reservedMs < refusal.untilMs
          return isMeant && isNow && term === commit.term
        })
        if (found !== undefined) broke('refusals', `${key} was placed on ${place.offer}, which was refused just now`)
      }
    },
    tick: () => {
      for (const [key, { overMs, refusal }] of known) {
        const readyMs = witness.readySinceMs(refusal.provider)
        if (readyMs === undefined || witness.nowMs() < Math.max(readyMs, overMs) + KEPT_MS) continue
        known.delete(key)
        broke(
          'refusals',
          `${key} is still kept, ${Math.round((witness.nowMs() - overMs) / MINUTE_MS)} min after its time`,
        )
      }
    },
  }
}

/** A leader that learns that an offer is sold out records it in the same commit. */
function checkRemembered({ writes, events = [] }: Commit, broke: Evidence['broke']): void {
  for (const { kind, facts } of events) {
    if (kind !== 'refused' || facts.class !== 'SOLD_OUT') continue
    const isKept = writes.some((write) => write.kind === 'refusal' && write.body !== undefined)
    if (!isKept) broke('refusals', `no refusal remembers that ${String(facts.instance)} is sold out`)
  }
}
