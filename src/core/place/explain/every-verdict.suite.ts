import type { AskPlan, Plan } from '../plan.ts'
import { rowCount, at } from '../../offer/snapshot.ts'
import { walkOver, forEachBand, type Band } from '../tally.ts'

/** The verdict bits of every offer of a snapshot, by row. */
export interface EveryVerdict {
  readonly machine: Uint32Array
  readonly circumstance: Uint32Array
}

/** Every offer's verdict at once. */
export function everyVerdict(ask: AskPlan, { snapshot }: Plan): EveryVerdict {
  const machine = new Uint32Array(rowCount(snapshot))
  const circumstance = new Uint32Array(rowCount(snapshot))
  const walk = walkOver(snapshot, ask.judgement)
  const note = (band: Band): void => {
    for (let position = band.from; position < band.to; position++) {
      const row = at(walk.order.rows, position)
      machine[row] = band.machine
      circumstance[row] = band.circumstance
    }
  }
  for (let index = 0; index < snapshot.machines.length; index++) forEachBand(index, walk, note)
  return { machine, circumstance }
}
