import type { Tag } from './call/order.ts'
import { isBilled, type Leaving, type Placement } from './placement.ts'

/** What one rented machine cost: from when to when, at which price, for whom, and why it ended. */
export interface Bill {
  readonly project: string
  readonly workload: string
  readonly slot: string
  readonly attempt: string
  readonly provider: string
  readonly region: string
  /** The provider's name for the kind of machine, and for the machine itself; empty: it told none. */
  readonly machine: string
  readonly instance: string
  readonly gpus: number
  /** The price that it was ordered at; a machine that costs more is ended. */
  readonly usdPerHour: number
  readonly fromMs: number
  readonly toMs: number
  readonly why: Leaving
}

/** A bill that is not closed yet. */
export type OpenBill = Omit<Bill, 'toMs' | 'why'>

/** What a placement costs while its machine exists. Undefined: it has none, or one that costs nothing. */
export function openBillOf({ order, instance, reserved, calledMs, born }: Placement): OpenBill | undefined {
  if ((instance === undefined && born?.isSure !== true) || reserved.usdPerHour <= 0) return undefined
  const { tag, place } = order
  return {
    project: tag.project,
    workload: tag.workload,
    slot: tag.slot,
    attempt: tag.attempt,
    provider: place.provider,
    region: place.region,
    machine: place.instance,
    instance: instance ?? '',
    gpus: reserved.gpus,
    usdPerHour: reserved.usdPerHour,
    // When the provider had taken the order, or may have.
    fromMs: born?.fromMs ?? calledMs,
  }
}

/** The bill that a change of a placement closes: nothing of the machine exists any more. */
export function billOf(before: Placement | undefined, after: Placement): Bill | undefined {
  if (before === undefined || !isBilled(before) || isBilled(after)) return undefined
  const open = openBillOf(after)
  return open && { ...open, toMs: Math.max(after.sinceMs, open.fromMs), why: after.why ?? 'stopped' }
}

/** A machine that no placement has: from when it was seen until it was gone. */
interface Stray {
  readonly tag: Tag
  readonly provider: string
  readonly instance: string
  /** Undefined: its provider does not say, so nobody knows what it cost. */
  readonly usdPerHour: number | undefined
  readonly fromMs: number
  readonly toMs: number
}

/** What a stray machine cost. What kind of machine it was is not known. */
export function strayBillOf({ tag, usdPerHour = 0, ...seen }: Stray): Bill | undefined {
  if (usdPerHour <= 0) return undefined
  const { project, workload, slot, attempt } = tag
  return { project, workload, slot, attempt, region: '', machine: '', gpus: 0, usdPerHour, why: 'over', ...seen }
}

/** `PROJECT/TIME/ATTEMPT`: the bills of a project lie in the order in which they were closed. */
export function billKey({ project, toMs, attempt }: Pick<Bill, 'project' | 'toMs' | 'attempt'>): string {
  return `${billsSince(project, toMs)}/${attempt}`
}

/** Bills of a project that were closed at this time or later have keys after this one. */
export function billsSince(project: string, atMs: number): string {
  return `${project}/${Math.max(0, Math.floor(atMs)).toString(36).padStart(9, '0')}`
}
