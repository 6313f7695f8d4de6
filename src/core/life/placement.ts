import { assert } from '../base/assert.ts'
import type { Decision } from './bind/decision.ts'
import type { Exit } from './call/exit.ts'
import type { Order } from './call/order.ts'

/**
 * Where a placement stands.
 *
 * - `reserved`: the intent is written, the provider is being called or about to be.
 * - `unknown`: it was called, and nobody knows what became of it. Keeps its reservation.
 * - `starting`: the provider took the order. `running`: it was described as up.
 * - `stopping`: it is to end, whatever it is; there is no way back from here.
 * - `gone`: it is proven that nothing of this attempt exists or is billed. The slot may have its next epoch.
 */
export type Phase = 'reserved' | 'unknown' | 'starting' | 'running' | 'stopping' | 'gone'

/** The one place of a slot, and the attempt that is being made to fill it. */
export interface Placement {
  /** Workload uid, slot, epoch and attempt are in its tag. */
  readonly order: Order
  /** Everything that the decision was made on: a slot whose shape differs from what is wanted now is replaced. */
  readonly shape: string
  readonly phase: Phase
  readonly sinceMs: number
  /** When the intent was written. */
  readonly reservedMs: number
  /** The provider's name for the instance, once heard. */
  readonly instance: string | undefined
  /** What counts against quota and budget until it is gone. */
  readonly reserved: { readonly gpus: number; readonly usdPerHour: number }
  /** Ends of the last call that may have created something: absence is proven only by lists asked for after it plus the settle window. */
  readonly calledMs: number
  /** Adopted from evidence that named no price: the first one that does is held to the ceiling. */
  readonly unpriced?: boolean
  /** A repeated call was refused: repeating it again proves nothing. */
  readonly replayed: boolean
  /** First complete list, asked for late enough, that did not have it. */
  readonly absentMs: number | undefined
  /** When it first was described as up, in this epoch. */
  readonly upMs: number | undefined
  readonly healthy: boolean | undefined
  /** When it first answered on its health path, in this epoch. */
  readonly wellMs?: number | undefined
  /** That it is on its way for long was said. */
  readonly slow?: true
  /** What the provider, or whoever kept it from being called, said when the last call about it failed. */
  readonly fault?: string | undefined
  readonly ports: Readonly<Record<string, string>>
  readonly checkpointMs: number | undefined
  /** Why it ends, or ended. */
  readonly why: Leaving | undefined
  readonly exit: Exit | undefined
  /** Calls that failed since it entered its phase, and when the next may be made. */
  readonly tries: number
  readonly nextTryMs: number
  /** One place for one decision: what people read. */
  readonly because: string
  /** The evidence that it was chosen by; left out: it was placed before that was kept, or by a plan that was given. */
  readonly decision?: Decision
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
  | 'gang'
  | 'too-expensive'
  | 'too-long'
  /** Was on its way for too long. */
  | 'late'
  /** Ran to its end, well. */
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

/** Since when it works, as far as can be told: it is up, and answers on its health path where it has one. */
export function wellSinceMs({ order, upMs, wellMs, healthy }: Placement): number | undefined {
  const asks = order.ports.some(({ health }) => health !== undefined)
  // Where nobody can ask for its health, being up is all there is to know.
  return asks && healthy === false ? wellMs : (wellMs ?? upMs)
}

/** Whether it may exist and cost something. */
export function isBilled({ phase }: Placement): boolean {
  return phase !== 'gone'
}

export function placementKey({ order: { tag } }: Pick<Placement, 'order'>): string {
  return `${tag.project}/${tag.workload}/${tag.slot}`
}
