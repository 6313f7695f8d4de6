import { complaintsIn } from './health/conditions.ts'
import { troubleMarks, unsureMarks } from './health/marks.ts'
import { taintKind } from './health/taints.ts'
import type { NodeObject } from './object/node-object.ts'

/** Whether a node takes new work at all, whatever its accelerators. Undefined: the object does not say. */
export interface NodeHealth {
  readonly usable: boolean | undefined
  /** Nothing can run there now: it is not ready, or about to go. */
  readonly isDown: boolean
  readonly why: readonly string[]
}

export function healthOf(node: NodeObject): NodeHealth {
  const down = [...downBy(node)]
  const closed = [...closedBy(node)]
  if (down.length + closed.length > 0) return { usable: false, isDown: down.length > 0, why: [...down, ...closed] }
  const unsure = [...unsureBy(node)]
  if (unsure.length > 0) return { usable: undefined, isDown: false, why: unsure }
  return { usable: true, isDown: false, why: notesOn(node) }
}

function* downBy(node: NodeObject): Iterable<string> {
  const { conditions, deleting, taints } = node
  const ready = conditions.get('Ready')
  if (ready !== undefined && ready !== 'True') yield `It is not ready: condition Ready is ${ready}.`
  if (deleting) yield 'It is being deleted (metadata.deletionTimestamp).'
  for (const taint of taints) {
    if (taintKind(taint) === 'trouble' && taint.key !== 'node.kubernetes.io/unschedulable')
      yield `It has taint ${taint.key}.`
  }
  yield* complaintsIn(conditions).bad
  yield* troubleMarks(node)
}

/** What leaves open whether it works. */
function* unsureBy(node: NodeObject): Iterable<string> {
  if (!node.conditions.has('Ready')) yield 'status.conditions has no Ready, so whether it works is unknown.'
  if (node.hasUnreadTaints) yield 'spec.taints cannot be read, so whether it takes pods is unknown.'
  yield* complaintsIn(node.conditions).unsure
  yield* unsureMarks(node)
}

function* closedBy({ cordoned, os, taints }: NodeObject): Iterable<string> {
  if (cordoned || taints.some(({ key }) => key === 'node.kubernetes.io/unschedulable'))
    yield 'It is cordoned (spec.unschedulable).'
  if (os === 'windows') yield 'It runs Windows (kubernetes.io/os).'
  const [plane] = taints.filter((taint) => taintKind(taint) === 'control-plane')
  if (plane !== undefined) yield `It is kept for the control plane (taint ${plane.key}).`
}

function notesOn({ taints, hostArch }: NodeObject): readonly string[] {
  const foreign = taints.filter((taint) => taintKind(taint) === 'foreign').map(({ key }) => key)
  return [
    ...(foreign.length === 0 ? [] : [`Work there must tolerate taint ${foreign.join(' and ')}.`]),
    ...(hostArch === 'arm64' ? ['Images must be built for arm64 (kubernetes.io/arch).'] : []),
  ]
}
