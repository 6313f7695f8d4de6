import type { EventEntry } from '../../../src/core/event/event.ts'
import { definitionOf, EVENTS, type EventKind } from '../../../src/core/event/kinds.ts'
import type { Phase } from '../../../src/core/life/placement.ts'
import { stepsOf, type Check, type Evidence, type Step } from './check.ts'

/** What people must be told when a placement enters a phase: one of these. A launch that a new leader finds is told later. */
const TOLD: Readonly<Partial<Record<Phase, readonly EventKind[]>>> = {
  reserved: ['placed'],
  starting: ['launched', 'adopted'],
  running: ['up'],
  stopping: ['stopping', 'ended', 'died', 'preempted', 'drained', 'replaced', 'refused'],
  gone: ['stopped', 'refused', 'ended', 'died', 'preempted'],
}

type Told = Omit<EventEntry, 'seq'>

/** Events: everything that becomes of a placement is told with it, in order; nothing is lost. */
export function eventsCheck({ mirror, broke }: Evidence): Check {
  /** By slot: how far the story of an epoch has been told. */
  const told = new Map<string, { readonly epoch: number; readonly rank: number }>()
  const follow = ({ project, subject, kind, facts: { slot, epoch } }: Told): void => {
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
      const events: readonly Told[] = commit.events ?? []
      for (const event of events) checkFacts(event, broke)
      for (const step of stepsOf(commit, mirror)) checkTold(step, events, broke)
      if (process !== undefined) for (const event of events) follow(event)
      checkAccepted(commit, { mirror, broke })
    },
  }
}

/** The order in which the story of one attempt is told. Well and unwell may take turns. */
const RANKS: Readonly<Record<string, number>> = {
  placed: 1,
  launched: 2,
  unknown: 2,
  adopted: 2,
  up: 3,
  healthy: 3,
  unhealthy: 3,
  queued: 2,
  replaced: 4,
  ended: 4,
  died: 4,
  preempted: 4,
  stopping: 4,
  drained: 4,
  refused: 5,
  stopped: 5,
}

/** Everything that is written is an event of this version, with exactly the facts of its kind. */
function checkFacts({ kind, subject, facts }: Told, broke: Evidence['broke']): void {
  const about = definitionOf(kind)?.about
  if (!subject.startsWith(`${about}/`)) broke('events', `${kind} is told of ${subject}`)
  const read = STRICT.get(kind)?.safeParse(facts)
  if (read?.success !== true) broke('events', `${kind} of ${subject} has facts of no kind: ${JSON.stringify(facts)}`)
}

const STRICT = new Map(Object.entries(EVENTS).map(([kind, { facts }]) => [kind, facts.strict()]))

function checkTold({ key, before, after }: Step, events: readonly Told[], broke: Evidence['broke']): void {
  const { phase, order } = after
  const kinds = before?.phase === phase ? undefined : TOLD[phase]
  if (kinds === undefined) return
  const { slot, epoch } = order.tag
  const isTold = events.some(
    ({ kind, facts }) => facts.slot === slot && facts.epoch === epoch && kinds.some((one) => one === kind),
  )
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
    const told: readonly Told[] = events
    const isTold = told.some(({ subject, facts }) => subject === `workload/${name}` && facts.generation === generation)
    if (!isTold || audit.length === 0) broke('events', `${write.key}: generation ${generation} is not on the record`)
  }
}
