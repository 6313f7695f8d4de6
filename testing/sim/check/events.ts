import type { EventKind, NewEvent } from '../../../src/core/event/event.ts'
import type { Phase } from '../../../src/core/life/placement.ts'
import { stepsOf, type Check, type Evidence, type Step } from './check.ts'

/** What people must be told when a placement enters a phase: one of these. A launch that a new leader finds is told later. */
const TOLD: Readonly<Partial<Record<Phase, readonly EventKind[]>>> = {
  reserved: ['placed'],
  starting: ['launched', 'adopted'],
  running: ['up'],
  stopping: ['stopping', 'ended', 'died', 'preempted', 'unhealthy', 'drained', 'gave-up', 'failed'],
  gone: ['stopped', 'refused', 'ended', 'died', 'preempted'],
}

/** Events: everything that becomes of a placement is told with it, in order; nothing is lost. */
export function eventsCheck({ mirror, broke }: Evidence): Check {
  /** By slot: how far the story of an epoch has been told. */
  const told = new Map<string, { readonly epoch: number; readonly rank: number }>()
  const follow = ({ project, subject, kind, facts: { slot, epoch } }: NewEvent): void => {
    if (kind === 'removed')
      for (const key of told.keys()) if (key.startsWith(`${project}/${subject}/`)) told.delete(key)
    const rank = RANKS[kind]
    if (typeof slot !== 'string' || typeof epoch !== 'number' || rank === undefined) return
    const key = `${project}/${subject}/${slot}`
    const last = told.get(key) ?? { epoch: 0, rank: 0 }
    const isLater = epoch > last.epoch || (epoch === last.epoch && rank >= last.rank)
    if (!isLater) broke('events', `${key}: ${kind} of epoch ${epoch} was told after ${last.rank} of ${last.epoch}`)
    told.set(key, { epoch, rank })
  }
  return {
    written: (commit, process) => {
      const events = commit.events ?? []
      for (const step of stepsOf(commit, mirror)) checkTold(step, events, broke)
      if (process !== undefined) for (const event of events) follow(event)
      checkAccepted(commit, { mirror, broke })
    },
  }
}

/** The order in which the story of one attempt is told. Well and unwell may take turns. */
const RANKS: Readonly<Partial<Record<EventKind, number>>> = {
  placed: 1,
  launched: 2,
  unknown: 2,
  adopted: 2,
  up: 3,
  unhealthy: 3,
  ended: 4,
  died: 4,
  preempted: 4,
  stopping: 4,
  drained: 4,
  refused: 5,
  stopped: 5,
}

function checkTold({ key, before, after }: Step, events: readonly NewEvent[], broke: Evidence['broke']): void {
  const { phase, order } = after
  const kinds = before?.phase === phase ? undefined : TOLD[phase]
  if (kinds === undefined) return
  const { slot, epoch } = order.tag
  const isTold = events.some(({ kind, facts }) => facts.slot === slot && facts.epoch === epoch && kinds.includes(kind))
  if (!isTold) broke('events', `${key}: no event tells that epoch ${epoch} is ${phase}`)
}

/** What users were granted is told and on the record. */
function checkAccepted(
  { writes, events = [], audit = [] }: Parameters<NonNullable<Check['written']>>[0],
  { mirror, broke }: Pick<Evidence, 'mirror' | 'broke'>,
): void {
  for (const write of writes) {
    if (write.kind !== 'workload' || write.body?.manifest?.kind === undefined) continue
    const { generation, name } = write.body
    if (mirror.workloads.get(write.key)?.generation === generation) continue
    const isTold = events.some(
      ({ subject, facts }) => subject === `workload/${name}` && facts.generation === generation,
    )
    if (!isTold || audit.length === 0) broke('events', `${write.key}: generation ${generation} is not on the record`)
  }
}
