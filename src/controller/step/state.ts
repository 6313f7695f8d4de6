import { Dice } from '../../core/base/dice.ts'
import type { InstanceRef } from '../../ports/provider.ts'
import { Capacity } from '../capacity.ts'
import { Waiters } from '../waiters.ts'
import { Agenda } from './agenda.ts'
import { Alarm } from './alarm.ts'
import type { Begin, ListAnswer, StepCall, StepCommit, StepLog, StepAsk } from './event.ts'
import { Ledger } from './ledger.ts'
import { Movers } from './movers.ts'
import type { Answered } from './outcome.ts'
import type { KnownPlatform } from './platform.ts'
import { Probes } from './probes.ts'
import { SeenUp } from './seen-up.ts'

/** A call that has not been answered: why it was made. */
export type OpenCall =
  | {
      readonly about: 'slot'
      readonly kind: 'launch' | 'describe' | 'stop'
      readonly key: string
      /** More than one: a gang that is launched as a whole, by rank. */
      readonly slots: readonly Pick<Answered, 'slot' | 'attempt'>[]
      readonly issuedMs: number
      readonly settleMs: number
      readonly tokens: boolean
    }
  | { readonly about: 'orphan'; readonly orphan: Orphan }
  | { readonly about: 'list' | 'offers'; readonly provider: string; readonly issuedMs: number }

/** An instance with our tag that no placement owns. */
export interface Orphan {
  readonly provider: string
  readonly ref: InstanceRef & { readonly instance: string }
  readonly usdPerHour: number | undefined
}

/** An orphan that was reported. */
interface ToldOrphan {
  readonly orphan: Orphan
  readonly seenMs: number
  /** Complete lists in a row that lacked it; Infinity: it was reported as ended. */
  readonly missed: number
}

/** A question that has not been answered: why it was asked. */
export type OpenAsk =
  | { readonly about: 'orphan'; readonly orphan: Orphan }
  | { readonly about: 'reach'; readonly provider: string; readonly reach: Pick<ListAnswer, 'isDown' | 'lastFault'> }
  | { readonly about: 'drain'; readonly provider: string }

/** One kind of reading of a provider, again and again. */
export interface Reading {
  /** The call under way. */
  call: number | undefined
  /** When the last one was begun, and when the next one is. */
  askedMs: number
  /** How long the last answer took to come. */
  tookMs: number
  dueMs: number
  /** A hint came during the call, which may have been answered before that. */
  isHinted: boolean
  /** Until when the readings that hints have brought forward take up their share. */
  paidMs: number
}

/**
 * Everything that a leader knows. Only `step` changes it, in place: a copy of ten thousand workloads for every event would
 * cost more than the decisions. The same beginning and the same events always lead to the same state.
 */
export interface ControllerState {
  readonly begin: Begin
  readonly dice: Dice
  readonly ledger: Ledger
  readonly capacity: Capacity
  readonly probes: Probes
  readonly agenda: Agenda
  readonly alarm: Alarm
  readonly waiters: Waiters
  readonly movers: Movers
  readonly seenUp: SeenUp
  platform: KnownPlatform
  /** Workloads that must be taken over before anything else; undefined: not all rows are read. */
  taking: string[] | undefined
  /** When everything had been taken over; undefined: not yet. */
  readyMs: number | undefined
  /** Commits that have not landed, and the workloads that they are about. */
  readonly commits: Map<number, StepCommit>
  readonly writing: Set<string>
  readonly calls: Map<number, OpenCall>
  /** Slots with a call under way, by workload and slot. */
  readonly busy: Set<string>
  /** Answers that wait for a commit, by workload. */
  readonly answers: Map<string, Answered[]>
  /** Workloads that must be looked at before further answers are taken. */
  readonly owed: Set<string>
  /** When a slot was last described, and when it was last said to be starting; by workload and slot. */
  readonly looked: Map<string, number>
  readonly starting: Map<string, number>
  /** Workloads that cannot be handled, and the generation that cannot. */
  readonly setAside: Map<string, number>
  readonly asks: Map<number, OpenAsk>
  readonly readings: Map<string, { readonly list: Reading; readonly offers: Reading }>
  /** The states of providers as they were followed; undefined: not yet. */
  readonly followed: Map<string, string>
  isFollowing: boolean
  /** Orphans that are being stopped, those to be stopped once a commit has landed, and those reported by this leader. */
  readonly ending: Set<string>
  readonly endingAfter: Map<number, Orphan>
  readonly toldOrphans: Map<string, ToldOrphan>
  /** Since when providers answer nothing, as far as this leader has seen. */
  readonly silent: Map<string, number>
  /** Since when lists are not answered, by provider. It may still answer other calls. */
  readonly unheard: Map<string, number>
  /** When a provider last answered anything. */
  readonly heardMs: Map<string, number>
  /** Whether providers are down, and which are drained, as reported by this leader. */
  readonly toldDown: Map<string, boolean>
  readonly toldDrained: Set<string>
  /** Something has ended since the last turn, and left room. */
  isRoom: boolean
  /** When expired refusals are deleted next. */
  expireMs: number
  lastId: number
  /** For metrics. */
  reconciles: number
  /** How often places were looked for. */
  decisions: number
  orphans: number
}

/** What a step works with: the state, the time of its event, and the result so far. */
export interface StepContext {
  readonly state: ControllerState
  readonly nowMs: number
  readonly wallMs: number
  readonly out: {
    readonly commits: StepCommit[]
    readonly calls: StepCall[]
    readonly asks: StepAsk[]
    readonly logs: StepLog[]
  }
}

/** The state at the beginning of a term, before any row is read. */
export function newState(begin: Begin): ControllerState {
  const ledger = new Ledger()
  const probes = new Probes()
  return {
    begin,
    dice: new Dice(Math.floor(begin.seed * 2 ** 32)),
    ledger,
    capacity: new Capacity(ledger, probes),
    probes,
    agenda: new Agenda(),
    alarm: new Alarm(),
    waiters: new Waiters(),
    movers: new Movers(),
    seenUp: new SeenUp(),
    platform: { providers: new Map(), config: undefined, isAlone: false },
    taking: undefined,
    readyMs: undefined,
    commits: new Map(),
    writing: new Set(),
    calls: new Map(),
    busy: new Set(),
    answers: new Map(),
    owed: new Set(),
    looked: new Map(),
    starting: new Map(),
    setAside: new Map(),
    asks: new Map(),
    readings: new Map(),
    followed: new Map(),
    isFollowing: false,
    ending: new Set(),
    endingAfter: new Map(),
    toldOrphans: new Map(),
    silent: new Map(),
    unheard: new Map(),
    heardMs: new Map(),
    toldDown: new Map(),
    toldDrained: new Set(),
    isRoom: false,
    expireMs: begin.nowMs,
    lastId: 0,
    reconciles: 0,
    decisions: 0,
    orphans: 0,
  }
}

/** A number that was not used before in this term. */
export function nextId(state: ControllerState): number {
  return ++state.lastId
}

/** A name for an attempt that no other leader ever uses: later names sort later. */
export function newName({ state, nowMs }: StepContext): string {
  const time = Math.floor(nowMs).toString(36).padStart(9, '0')
  return `${time}${nextId(state).toString(36).padStart(4, '0')}${state.begin.name.slice(-12)}`
}
