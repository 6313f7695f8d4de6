import { rowCount, type Snapshot } from '../../offer/snapshot.ts'
import { extraRows, toldTwice } from '../../offer/told-twice.ts'
import type { Judgement } from '../judge.ts'
import { failing, fits, verdictOf } from '../tally.ts'

/**
 * Rows that are not counted because another row describes the same node. A node counts as full only for an ask that would
 * fit if nothing ran there and does not fit now. Otherwise the row of its free part is enough.
 */
export function shadowsOf(snapshot: Snapshot, judgement: Judgement): ReadonlySet<number> {
  const shadows = new Set<number>()
  for (const node of toldTwice(snapshot)) {
    const verdict = (row: number) => verdictOf(snapshot, judgement, row)
    const isInTheWay = (row: number): boolean => {
      const [first, ...others] = failing(verdict(row))
      return first?.name === 'stock' && others.length === 0
    }
    const hasRoom = node.free.some((row) => fits(verdict(row)))
    const full = node.full.filter((row) => hasRoom || !isInTheWay(row))
    const order = hasRoom ? full : [...full, ...node.free]
    for (const row of order.slice(0, extraRows(node))) shadows.add(row)
  }
  return shadows
}

/** Offers of a snapshot. Each node of our own counts once for each form in which it is offered. */
export function offersIn(snapshot: Snapshot): number {
  return rowCount(snapshot) - toldTwice(snapshot).reduce((sum, node) => sum + extraRows(node), 0)
}
