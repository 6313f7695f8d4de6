import { must } from '../../base/assert.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'
import type { AnyKey, KeyStep } from '../key.ts'
import type { Need } from '../need/need.ts'
import { GPU, MACHINE, type GpuNeed, type MachineNeed } from '../table.ts'
import type { Filter, Loosening } from './filter.ts'

/** The filter of a key under `resources.gpu`. A machine without a GPU is for another filter to refuse. */
export function gpuFilter(key: AnyKey<GpuFacts>): Filter<'machine'> {
  // A need has one property for each entry, with the name that the entry states.
  const slot = key.slot as keyof GpuNeed
  const asked = lastAsked(key, ({ gpu }) => gpu && { wanted: gpu[slot], cards: gpu.count.min ?? 1 })
  return {
    name: key.name,
    rank: key.rank,
    about: 'machine',
    reasons: key.reasons,
    check({ gpu }, need) {
      const ask = asked(need)
      return ask === undefined || gpu === undefined ? undefined : key.check(ask.wanted, gpu, ask.cards)
    },
    miss({ gpu }, need) {
      const ask = asked(need)
      return ask === undefined || gpu === undefined ? undefined : key.miss?.(ask.wanted, gpu)
    },
    loosen(need, refused) {
      const ask = asked(need)
      if (ask === undefined) return []
      const cards = refused.flatMap(({ gpu }) => gpu ?? [])
      return (key.loosen?.(ask.wanted, cards) ?? []).map((step) =>
        loosening(`resources.gpu.${key.key}`, step, withGpu(need, slot, step)),
      )
    },
  }
}

/** The filter of a key under `resources`. */
export function machineFilter(key: AnyKey<Machine>): Filter<'machine'> {
  // The same holds for machines.
  const slot = key.slot as keyof MachineNeed
  const asked = lastAsked(key, (need) => ({ wanted: need[slot], cards: 0 }))
  return {
    name: key.name,
    rank: key.rank,
    about: 'machine',
    reasons: key.reasons,
    check(machine, need) {
      const ask = asked(need)
      return ask === undefined ? undefined : key.check(ask.wanted, machine, ask.cards)
    },
    miss(machine, need) {
      const ask = asked(need)
      return ask === undefined ? undefined : key.miss?.(ask.wanted, machine)
    },
    loosen(need, refused) {
      const ask = asked(need)
      if (ask === undefined) return []
      return (key.loosen?.(ask.wanted, refused) ?? []).map((step) =>
        loosening(`resources.${key.key}`, step, { ...need, [slot]: step.wanted }),
      )
    },
  }
}

/** The filters of all keys. */
export const KEYED: readonly Filter<'machine'>[] = [...GPU.keys.map(gpuFilter), ...MACHINE.keys.map(machineFilter)]

/** What a need asks of one key. */
interface KeyAsk {
  readonly wanted: unknown
  /** Cards that are asked for. */
  readonly cards: number
}

/**
 * What a need asks of a key; undefined when it admits everything. A decision checks thousands of machines against one
 * need, so the last answer is kept: most keys ask for nothing, and their filters then cost one comparison.
 */
function lastAsked<Facts>(
  { set }: AnyKey<Facts>,
  askIn: (need: Need) => KeyAsk | undefined,
): (need: Need) => KeyAsk | undefined {
  let last: Need | undefined
  let ask: KeyAsk | undefined
  return (need) => {
    if (need === last) return ask
    const found = askIn(need)
    ask = found === undefined || set.covers(found.wanted, set.any) ? undefined : found
    last = need
    return ask
  }
}

function loosening(key: string, { from, to, share, note }: KeyStep<unknown>, need: Need): Loosening {
  return { key, from, to, need, ...(share !== undefined && { share }), ...(note !== undefined && { note }) }
}

function withGpu(need: Need, slot: string, { wanted }: KeyStep<unknown>): Need {
  return { ...need, gpu: { ...must(need.gpu, 'only a need for GPUs has GPU requirements to change'), [slot]: wanted } }
}
