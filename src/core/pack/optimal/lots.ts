import type { Request } from '../../fleet/fleet.ts'
import { worthOf, type Pending } from './problem.ts'

/**
 * Pending work that is all alike: it does not matter which piece of it goes where. A gang has a lot of its own, and so does
 * a share of several cards: its pieces must not meet on one card.
 */
export interface Lot {
  readonly request: Request
  /** Indices of pending work. */
  readonly pending: readonly number[]
  /** What each piece is worth. */
  readonly worth: number
  /** Undefined also for a gang of one. */
  readonly gang: Pending['gang']
}

/** Groups pending work into lots. */
export function lotsOf(pending: readonly Pending[]): readonly Lot[] {
  const lots = new Map<string, Lot & { readonly pending: number[] }>()
  for (const [index, each] of pending.entries()) {
    const { request } = each
    const worth = worthOf(each)
    const gang = each.gang === undefined || each.gang.nodes === 1 ? undefined : each.gang
    const isAlone = gang !== undefined || (request.count > 1 && request.part.kind === 'share')
    const key = isAlone ? `alone ${index}` : `${worth} ${textOf(request)}`
    const lot = lots.get(key) ?? { request, pending: [], worth, gang }
    lot.pending.push(index)
    lots.set(key, lot)
  }
  return [...lots.values()]
}

/** The number of nodes that the pieces of some lots could use at the same time. */
export function workersOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, { pending, gang }) => sum + pending.length * (gang?.nodes ?? 1), 0)
}

function textOf({ cpuMilli, memoryMib, diskMib, count, part, models }: Request): string {
  const size = part.kind === 'whole' ? 0 : part.kind === 'share' ? part.milli : part.vramGib
  return JSON.stringify([cpuMilli, memoryMib, diskMib, count, part.kind, size, models ?? null])
}
