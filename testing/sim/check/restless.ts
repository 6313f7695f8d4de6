import type { Check, Evidence } from './check.ts'

const WITHIN_MS = 1000
const MOST = 100

/** Nobody writes the status of one workload again and again, without end: two answers that take turns, for instance. */
export function restlessCheck({ witness, broke }: Evidence): Check {
  const recent = new Map<string, { sinceMs: number; count: number }>()
  return {
    written: ({ writes }) => {
      for (const { kind, key } of writes) {
        if (kind !== 'status') continue
        const nowMs = witness.nowMs()
        const { sinceMs, count } = recent.get(key) ?? { sinceMs: nowMs, count: 0 }
        const next = nowMs - sinceMs > WITHIN_MS ? { sinceMs: nowMs, count: 1 } : { sinceMs, count: count + 1 }
        recent.set(key, next)
        if (next.count === MOST) broke('restless', `the status of ${key} was written ${MOST} times within a second`)
      }
    },
  }
}
