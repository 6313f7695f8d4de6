import {
  freeOf,
  NO_ASKS,
  NOTHING_KNOWN,
  PLAIN_CARDS_MAX,
  supplyOf,
  servedOf,
  type Accelerators,
  type Stocked,
} from './accelerators.ts'
import { machineOf } from './machine.ts'
import { cardNamed } from './card-by-name.ts'

/** The TPU chips of a node; undefined: it has none. */
export function readTpu(stocked: Stocked): Accelerators | undefined {
  const supply = supplyOf(stocked, 'google.com/tpu')
  if (supply === undefined) return undefined
  const { barred } = servedOf([supply])
  const { labels } = stocked.node
  const label = labels.get('cloud.google.com/gke-tpu-accelerator') ?? machineOf(stocked.node)?.gpu.id
  const named = cardNamed((label ?? '').replace(/-(podslice|device)$/, ''))
  const topology = labels.get('cloud.google.com/gke-tpu-topology')
  const chips = chipsOf(topology)
  const isPart = chips !== undefined && chips > supply.total
  const isCount = supply.total > 0 && supply.total <= Math.min(PLAIN_CARDS_MAX, chips ?? Infinity)
  const cards = isCount ? supply.total : undefined
  return {
    ...NOTHING_KNOWN,
    vendor: 'google',
    model: named.facts?.id,
    vramGib: named.facts?.vramGib,
    arch: named.facts?.arch,
    cards,
    free: freeOf(cards, supply),
    sharing: cards === undefined && supply.total > 0 ? undefined : 'none',
    barred:
      barred ?? (isPart ? `it is a part of a slice of ${chips} chips (cloud.google.com/gke-tpu-topology)` : undefined),
    asks: isPart || cards === undefined ? NO_ASKS : { ...NO_ASKS, whole: supply },
    why: [
      `TPU: status.capacity has ${supply.total} google.com/tpu.`,
      ...(label === undefined ? [] : [`cloud.google.com/gke-tpu-accelerator is ${label}.`]),
    ],
  }
}

/** `2x2x4` is sixteen chips. */
function chipsOf(topology: string | undefined): number | undefined {
  if (topology === undefined || !/^\d+(x\d+){1,2}$/.test(topology)) return undefined
  return topology.split('x').reduce((chips, side) => chips * Number(side), 1)
}
