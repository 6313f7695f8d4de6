import { NO_ASKS, type Accelerators, type Stocked } from './accelerators.ts'
import { machineOf } from './machine.ts'

/** More cards than any machine has: what says so counts shares, slices or something else. */
const CARDS_MAX = 32

/** What a plugin offers, unless it counts more cards than the machine is made with. */
export function bounded(read: Accelerators, { node }: Stocked): Accelerators {
  const machine = machineOf(node)
  const made = machine !== undefined && machine.gpu.vendor === read.vendor ? machine.count : undefined
  const most = Math.min(CARDS_MAX, made ?? Infinity)
  if (read.cards === undefined || read.cards <= most) return read
  const limit = made === undefined ? `No machine has ${read.cards} cards` : `A ${machine?.named} has ${made}`
  return {
    ...read,
    cards: undefined,
    free: read.free === 0 ? 0 : undefined,
    sharing: read.sharing === 'none' ? undefined : read.sharing,
    asks: NO_ASKS,
    why: [...read.why, `${limit}, so ${read.cards} are not believed.`],
  }
}
