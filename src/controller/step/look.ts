import { bind } from '../../core/life/bind/bind.ts'
import type { BindInput } from '../../core/life/bind/chosen.ts'
import { lookAgainMs } from '../../core/life/call/pace.ts'
import { gangPorts } from '../../core/life/call/rendezvous.ts'
import { applied, isNothing, joined, NOTHING, type Change, type WorkloadRecord } from '../../core/life/change.ts'
import { moved } from '../../core/life/move.ts'
import { reconcile, type ReconcileResult } from '../../core/life/reconcile.ts'
import type { Situation } from '../../core/life/situation.ts'
import type { DesiredSlot } from '../../core/life/slots.ts'
import type { GroupMove } from '../../core/life/succession.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import type { ChosenPolicy } from '../../core/policy/project-rules.ts'
import { policyOf } from '../rules.ts'
import { callSlots, putAside, takeAnswers } from './answers.ts'
import { newName, type ControllerState, type StepContext } from './state.ts'
import { write } from './write.ts'

/** Looks at the workload whose turn it is: a change is written before anything else is decided about the workload. */
export function lookAtNext(at: StepContext): void {
  const { state } = at
  const key = state.agenda.next((each) => state.writing.has(each))
  if (key === undefined) return
  state.owed.delete(key)
  lookAt(at, key)
  for (const other of [...state.movers.looked(key), ...state.waiters.looked(key)]) state.agenda.add(other)
  takeAnswers(at, key)
}

/**
 * There may be room now for workloads without any: they look in one pass, first those that have just left theirs for a new
 * version, then the others as they came.
 */
export function lookAtPending(
  { agenda, ledger, movers, waiters }: ControllerState,
  most = Number.POSITIVE_INFINITY,
): void {
  const orderOf = (key: string): string => `${movers.isOwed(key) ? 0 : 1} ${ledger.record(key)?.workload.uid ?? ''}`
  for (const key of waiters.take(most, orderOf)) agenda.add(key)
}

/** One bad workload never stops the others. */
function lookAt(at: StepContext, key: string): void {
  const { state } = at
  const record = state.ledger.record(key)
  if (record === undefined || state.ledger.isBroken(key)) return
  if (state.setAside.get(key) === record.workload.generation) return
  state.reconciles++
  try {
    const again = tryAgain(record)
    const wanted = reconcile(applied(record, again), situationOf(at, key))
    const change = joined(again, decided(at, applied(record, again), wanted))
    if (!isNothing(change)) return write(at, key, { record, change })
    for (const { kind, slot, mates = [] } of wanted.calls) {
      const placements = [slot, ...mates].flatMap((each) => record.placements.get(each) ?? [])
      callSlots(at, placements, kind)
    }
    if (wanted.wakeMs !== undefined) state.alarm.set(key, wanted.wakeMs)
  } catch (error) {
    putAside(at, key, { record, error })
  }
}

/** A workload that was set aside by an earlier leader, or another version, is tried again. */
function tryAgain({ status }: WorkloadRecord): Change {
  return status.setAside === undefined ? NOTHING : { ...NOTHING, status: { ...status, setAside: undefined } }
}

function situationOf({ state, nowMs }: StepContext, key: string): Situation {
  return {
    nowMs,
    chance: state.dice.next(),
    provider: (name) => {
      const facts = state.platform.providers.get(name)
      return (
        facts && {
          isDraining: facts.state === 'draining' || facts.state === 'removing',
          tokens: facts.provider.can.tokens,
          gangWithinMs: facts.provider.can.gangWithinMs,
          groups: facts.provider.can.groups,
          watched: facts.provider.can.watch,
          silentMs: state.silent.get(name),
        }
      )
    },
    isBusy: (slot) => state.busy.has(`${key}/${slot}`),
    lookedMs: (slot) => state.looked.get(`${key}/${slot}`),
    startingMs: (slot) => state.starting.get(`${key}/${slot}`),
    upMs: (slot) => state.seenUp.of(`${key}/${slot}`),
  }
}

/** What reconcile wants written, with the places chosen for what it wants placed or moved. */
function decided(at: StepContext, record: WorkloadRecord, { change, place, move, orElse }: ReconcileResult): Change {
  const now = applied(record, change)
  if (place.length === 0) at.state.movers.settled(workloadKey(record.workload))
  if (change.forget === true) return change
  // A changed workload does not wait for what held up its last version.
  if (record.status.generation !== record.workload.generation) at.state.waiters.leave(workloadKey(record.workload))
  if (place.length > 0) return joined(change, placed(at, now, place))
  if (move !== undefined && isNothing(change)) return moveAway(at, now, [move, ...orElse])
  return change
}

/** A workload that found no room looks again after a while, or on news. */
function placed(at: StepContext, record: WorkloadRecord, groups: readonly (readonly DesiredSlot[])[]): Change {
  const { state, nowMs } = at
  const key = workloadKey(record.workload)
  if (!state.movers.mayLook(key) || !state.waiters.mayLook(key)) return NOTHING
  if (state.waiters.untilMs(key) > nowMs) return NOTHING
  state.decisions++
  const isKnown = isCapacityKnown(at)
  const input = isKnown ? bindInput(at, record) : undefined
  const wanted = input === undefined ? groups : aheadOf(at, record, { groups, input })
  const change = input === undefined ? waitForCapacity(at, record) : bind(record, wanted, input)
  if (change.placements.length === wanted.flat().length || change.status?.end !== undefined) state.waiters.leave(key)
  else lookLater(at, key, isKnown ? lookAgainMs(state.dice.next()) : 1000)
  return change
}

/** Where a place is asked again after it refused, one replica goes first; the others look once that is written. */
function aheadOf(
  { state, nowMs }: StepContext,
  record: WorkloadRecord,
  { groups, input }: { readonly groups: readonly (readonly DesiredSlot[])[]; readonly input: BindInput },
): readonly (readonly DesiredSlot[])[] {
  if (!state.probes.isAnyDue(nowMs) || groups.length === 1 || record.workload.pinned !== undefined) return groups
  return state.probes.isHerd(bind(record, groups, input).placements, nowMs) ? groups.slice(0, 1) : groups
}

function lookLater({ state, nowMs }: StepContext, key: string, waitMs: number): void {
  state.waiters.wait(key, { nowMs, waitMs })
}

function isCapacityKnown({ state, nowMs }: StepContext): boolean {
  return state.capacity.isKnown(state.platform.providers, nowMs - (state.readyMs ?? nowMs))
}

/** Nothing can be decided before providers have answered, or without the policy. */
function waitForCapacity({ state, nowMs }: StepContext, record: WorkloadRecord): Change {
  const chosen = chosenPolicy(state, record.workload)
  if ('policy' in chosen || record.status.waiting?.code === chosen.problem.code) return NOTHING
  const { policy } = record.workload.manifest
  const { code, message } = chosen.problem
  const text = code === 'POLICY_UNKNOWN' ? `there is no policy called ${policy ?? ''}` : message.replace(/\.$/, '')
  const waiting = { sinceMs: nowMs, code, text, nextLookMs: nowMs + lookAgainMs(0.5) }
  return { ...NOTHING, status: { ...record.status, waiting } }
}

/** A group in the wrong place moves once it has another place; what it waits for until then is said. */
function moveAway(at: StepContext, record: WorkloadRecord, moves: readonly GroupMove[]): Change {
  const input = isCapacityKnown(at) ? bindInput(at, record) : undefined
  const change = input === undefined ? waitForCapacity(at, record) : firstMove(record, moves, input)
  if (change.placements.length === 0) {
    at.state.alarm.set(workloadKey(record.workload), at.nowMs + lookAgainMs(input?.chance ?? 0))
  }
  return change
}

/**
 * A group that finds no place does not keep the others where they are. Only the first says why it waits: were the others to
 * say so, too, their words would take turns for ever.
 */
function firstMove(record: WorkloadRecord, moves: readonly GroupMove[], input: BindInput): Change {
  let waiting: Change | undefined
  for (const move of moves) {
    const change = moved(record, move, input)
    if (change.placements.length > 0) return change
    waiting ??= change
  }
  return waiting ?? NOTHING
}

function bindInput(at: StepContext, { workload }: WorkloadRecord): BindInput | undefined {
  const { state, nowMs } = at
  const chosen = chosenPolicy(state, workload)
  if ('problem' in chosen) return undefined
  return {
    snapshot: state.capacity.snapshot(state.platform),
    policy: chosen.policy,
    owner: state.begin.owner,
    newId: () => newName(at),
    limits: limitsOf(state, workload.project),
    usage: state.ledger.usage(workload.project),
    nowMs,
    chance: state.dice.next(),
    rendezvous: (provider) => state.platform.providers.get(provider)?.provider.can.rendezvous,
    gangPorts: (provider) => gangPorts(state.ledger.on(provider).values()),
    isPartial: state.capacity.isPartial(state.platform.providers),
  }
}

/** As its project may use it now, whatever held when it was applied. */
function chosenPolicy(state: ControllerState, workload: Workload): ChosenPolicy {
  return policyOf(workload, limitsOf(state, workload.project), state.platform)
}

/** The infrastructure file takes precedence over the API. */
function limitsOf({ platform, ledger }: ControllerState, project: string): BindInput['limits'] {
  const own = platform.config?.projects.find(({ name }) => name === project)
  return own === undefined ? ledger.limits(project) : { ...own, isOfFile: true }
}
