import { must } from '../../base/assert.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'
import type { AnyKey, KeyStep } from '../key.ts'
import type { Need } from '../need/need.ts'
import { GPU, MACHINE, type GpuNeed } from '../table.ts'
import type { Filter, Loosening } from './filter.ts'

/** The filter of a key under `resources.gpu`. A machine without a GPU is for another filter to refuse. */
export function gpuFilter(key: AnyKey<GpuFacts>): Filter<'machine'> {
  const { name, rank, reasons } = key
  const wantedIn = (gpu: GpuNeed): unknown => Reflect.get(gpu, key.slot)
  return {
    name,
    rank,
    about: 'machine',
    reasons,
    check({ gpu }, need) {
      if (gpu === undefined || need.gpu === undefined) return undefined
      return key.check(wantedIn(need.gpu), gpu, need.gpu.count.min ?? 1)
    },
    miss: ({ gpu }, need) =>
      gpu === undefined || need.gpu === undefined ? undefined : key.miss?.(wantedIn(need.gpu), gpu),
    loosen(need, refused) {
      if (need.gpu === undefined) return []
      const steps = key.loosen?.(
        wantedIn(need.gpu),
        refused.flatMap(({ gpu }) => gpu ?? []),
      )
      return (steps ?? []).map((step) => loosening(`resources.gpu.${key.key}`, step, withGpu(need, key.slot, step)))
    },
  }
}

/** The filter of a key under `resources`. */
export function machineFilter(key: AnyKey<Machine>): Filter<'machine'> {
  const { name, rank, reasons } = key
  const wantedIn = (need: Need): unknown => Reflect.get(need, key.slot)
  return {
    name,
    rank,
    about: 'machine',
    reasons,
    check: (machine, need) => key.check(wantedIn(need), machine, 0),
    miss: (machine, need) => key.miss?.(wantedIn(need), machine),
    loosen: (need, refused) =>
      (key.loosen?.(wantedIn(need), refused) ?? []).map((step) =>
        loosening(`resources.${key.key}`, step, { ...need, [key.slot]: step.wanted }),
      ),
  }
}

/** The filters of all keys. */
export const KEYED: readonly Filter<'machine'>[] = [...GPU.keys.map(gpuFilter), ...MACHINE.keys.map(machineFilter)]

function loosening(key: string, { from, to, share, note }: KeyStep<unknown>, need: Need): Loosening {
  return { key, from, to, need, ...(share !== undefined && { share }), ...(note !== undefined && { note }) }
}

function withGpu(need: Need, slot: string, { wanted }: KeyStep<unknown>): Need {
  return { ...need, gpu: { ...must(need.gpu, 'only a need for GPUs has GPU requirements to change'), [slot]: wanted } }
}
