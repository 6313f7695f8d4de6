import { assert } from '../base/assert.ts'
import type { Decision } from './bind/decision.ts'
import type { Exit } from './call/exit.ts'
import type { Order } from './call/order.ts'

/**
 * Where a placement stands.
 *
 * - `reserved`: the intent is written, the provider is being called or about to be.
 * - `unknown`: it was called, and the outcome is not known. It keeps its reservation.
 * - `starting`: the provider took the order. `running`: it was described as up.
 * - `stopping`: it must end, whatever it is; there is no way back from here.
 * - `gone`: it is proven that nothing of this attempt exists or is billed. The slot may begin its next epoch.
 */
export type Phase = 'reserved' | 'unknown' | 'starting' | 'running' | 'stopping' | 'gone'

/** The one place of a slot, and the current attempt to fill it. */
export interface Placement {
  /** Workload uid, slot, epoch and attempt are in its tag. */
  readonly order: Order
  /** Identity of what the manifest states for the slot. A slot whose shape differs from the wanted one is replaced. */
  readonly shape: string
  /** The generation of the workload that it was placed for, or that it was kept for; left out: an older version placed it. */
  readonly generation?: number
  readonly phase: Phase
  readonly sinceMs: number
  /** When the intent was written. */
  readonly reservedMs: number
  /** The provider's name for the instance, once heard. */
  readonly instance: string | undefined
  /** Counts against quota and budget until the placement is gone. */
  readonly reserved: { readonly gpus: number; readonly usdPerHour: number }
  /**
   * When the last call that may have created something ended. Only lists requested after that time plus the settle window prove
   * absence.
   */
  readonly calledMs: number
  /** Its order was not simply taken; left out: it was, or nothing was ordered yet. */
  readonly born?: Born
  /** Its price was never told, or only quoted. The first price that is seen must stay within the ceiling. */
  readonly unpriced?: boolean
  /** A repeated call was refused: repeating it again proves nothing. */
  readonly replayed: boolean
  /** When the first complete list was requested, late enough, that did not have it. */
  readonly absentMs: number | undefined
  /** When it was first described as up in this epoch. */
  readonly upMs: number | undefined
  readonly healthy: boolean | undefined
  /** When it first answered on its health path in this epoch. */
  readonly wellMs?: number | undefined
  /** Since when it fails its health path; left out: it does not. */
  readonly sickMs?: number | undefined
  /** The provider took the order and put it into a queue; left out: it was started at once. */
  readonly queued?: Queued | undefined
  /** The slow start was reported. */
  readonly slow?: true
  /** Why the last call about it failed, or was withheld. */
  readonly fault?: string | undefined
  readonly ports: Readonly<Record<string, string>>
  readonly checkpointMs: number | undefined
  /** Why it ends, or ended. */
  readonly why: Leaving | undefined
  readonly exit: Exit | undefined
  /** Calls that failed since it entered its phase, and when the next may be made. */
  readonly tries: number
  readonly nextTryMs: number
  /** The reason for the choice, in one line, for people. */
  readonly because: string
  /** The evidence behind the choice; left out: it was placed by an older version, or by a saved plan. */
  readonly decision?: Decision
}

/** Something that an order may have made without being taken: its answer was lost, or it was refused. */
interface Born {
  /** Since when it may exist, and be paid for. */
  readonly fromMs: number
  /** Its provider said that it does. */
  readonly isSure: boolean
}

/** A wait in the provider's queue. */
export interface Queued {
  readonly sinceMs: number
  /** What it waits for, in the provider's words. */
  readonly reason: string
  /** When it left the queue, and its start began; left out: it waits. */
  readonly untilMs?: number
}

/** Why a placement leaves. */
export type Leaving =
  | 'refused'
  | 'absent'
  | 'exited'
  | 'died'
  | 'preempted'
  | 'unhealthy'
  | 'scaled-down'
  | 'stopped'
  | 'removed'
  | 'replaced'
  | 'drained'
  /** Its provider answered nothing for too long, and its successor has taken over. */
  | 'outage'
  /** The roll-out that it was a part of was changed or taken back before it took over. */
  | 'withdrawn'
  /** Another attempt of its slot serves, and two are not needed. */
  | 'surplus'
  | 'gang'
  | 'too-expensive'
  | 'too-long'
  /** It took too long to start. */
  | 'late'
  /** It ran to completion. */
  | 'finished'
  /** The workload ended without it. */
  | 'over'

const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  reserved: ['unknown', 'starting', 'stopping', 'gone'],
  unknown: ['starting', 'running', 'stopping', 'gone'],
  starting: ['running', 'stopping', 'gone'],
  running: ['stopping', 'gone'],
  stopping: ['gone'],
  gone: [],
}

/** The only way from one phase to another. */
export function advance(
  placement: Placement,
  to: Phase,
  change: Partial<Placement> & { readonly sinceMs: number },
): Placement {
  assert(
    NEXT[placement.phase].includes(to),
    `${placement.order.tag.slot}: ${placement.phase} -> ${to} is not a legal step`,
  )
  return { ...placement, tries: 0, nextTryMs: 0, fault: undefined, ...change, phase: to }
}

/** Since when it works, as far as can be told: it is up, and answers on its health path if it has one. */
export function wellSinceMs({ order, upMs, wellMs, healthy }: Placement): number | undefined {
  const asks = order.ports.some(({ health }) => health !== undefined)
  // Where the provider cannot check its health, being up is all there is to know.
  return asks && healthy === false ? wellMs : (wellMs ?? upMs)
}

/** Whether it waits in the provider's queue: its start has not begun, so no deadline for starts counts. */
export function isQueued({ phase, queued }: Placement): boolean {
  return phase === 'starting' && queued !== undefined && queued.untilMs === undefined
}

/** Whether it may exist and cost something. */
export function isBilled({ phase }: Placement): boolean {
  return phase !== 'gone'
}

export function placementKey({ order: { tag } }: Pick<Placement, 'order'>): string {
  return `${tag.project}/${tag.workload}/${tag.slot}`
}

/** An intent when it is first written. An intent that has to wait is written again, but counts once. */
export function isIntent({ phase, tries, sinceMs, reservedMs }: Placement): boolean {
  return phase === 'reserved' && tries === 0 && sinceMs === reservedMs
}
