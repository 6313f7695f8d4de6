import { groupOf } from '../../../src/core/life/slots.ts'
import { isLeaving, stepsOf, type Check, type Evidence, type Step } from './check.ts'

/** A wait in the queue of a provider is never too long, neither for a replica nor for a whole gang, and is told once. */
export function queuedCheck(evidence: Evidence): Check {
  const { mirror, witness, startedBy, broke } = evidence
  const told = new Set<string>()
  const isQueued = (attempt: string): boolean => {
    const { queuedMs = 0, endsMs = 0 } = startedBy(attempt) ?? {}
    return queuedMs > witness.nowMs() && endsMs > witness.nowMs()
  }
  return {
    written: (commit) => {
      const steps = stepsOf(commit, mirror)
      const waits = new Set((commit.events ?? []).flatMap(({ kind, facts }) => (kind === 'queued' ? [facts.slot] : [])))
      for (const { key, after } of steps) {
        const { attempt, slot } = after.order.tag
        if (!waits.has(slot)) continue
        if (told.has(attempt)) broke('queued', `${key}: ${attempt} is told as queued again`)
        told.add(attempt)
      }
      const leaving = steps.filter(isLeaving)
      for (const { key, after } of leaving) {
        const { tag } = after.order
        if (!isQueued(tag.attempt)) continue
        if (after.why === 'late') broke('queued', `${key} was called late while it was queued`)
        if (after.why === 'gang' && isGangQueued(after, leaving))
          broke('queued', `${key}: a gang was ended in the queue`)
      }
    },
  }

  /** All of it waits, no member leaves for another reason, and none is missing. */
  function isGangQueued({ order: { tag, nodes } }: Step['after'], leaving: readonly Step[]): boolean {
    const mates = [...mirror.placements.values()].filter(
      (mate) => mate.order.tag.uid === tag.uid && groupOf(mate.order.tag.slot) === groupOf(tag.slot),
    )
    const isForced = leaving.some(({ after }) => after.order.tag.uid === tag.uid && after.why !== 'gang')
    if (isForced || mates.length < nodes) return false
    return mates.every(({ order, phase }) => phase === 'starting' && isQueued(order.tag.attempt))
  }
}
