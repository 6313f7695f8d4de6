import {
  freeOf,
  freeOfParts,
  NO_ASKS,
  NOTHING_KNOWN,
  PLAIN_CARDS_MAX,
  servedOf,
  suppliesLike,
  type Accelerators,
  type Stocked,
  type Supply,
} from './accelerators.ts'
import { machineOf } from './machine.ts'
import { cardNamed } from './card-by-name.ts'

/** The Neuron chips of a node; undefined: it has none. A chip is offered whole and by its cores, which are one thing. */
export function readNeuron(stocked: Stocked): Accelerators | undefined {
  const supplies = suppliesLike(stocked, /^aws\.amazon\.com\/neuron(core|device)?$/)
  if (supplies.length === 0) return undefined
  const { served, barred } = servedOf(supplies)
  const machine = machineOf(stocked.node)
  const name = stocked.node.labels.get('karpenter.k8s.aws/instance-accelerator-name')
  const named = cardNamed(machine?.gpu.vendor === 'aws' ? machine.gpu.id : (name ?? ''))
  const chip = chipsUnder(served)
  const core = served.find(({ resource }) => resource.endsWith('core'))
  const isAgreed = served.every(({ resource, total }) => resource.endsWith('core') || total === chip?.total)
  const told = isAgreed ? (chip?.total ?? chipsOf(core, CORES[named.facts?.id ?? ''])) : undefined
  const cards = told === undefined || told > PLAIN_CARDS_MAX ? undefined : told
  const isWhole = chip !== undefined && (core?.used ?? 0) === 0
  return {
    ...NOTHING_KNOWN,
    vendor: 'aws',
    model: named.facts?.id,
    vramGib: named.facts?.vramGib,
    arch: named.facts?.arch ?? 'neuron',
    cards,
    free: isWhole ? freeOf(cards, chip) : freeOfParts(cards, served),
    sharing: cards === undefined ? undefined : 'none',
    barred,
    asks: chip === undefined || cards === undefined ? NO_ASKS : { ...NO_ASKS, whole: chip },
    why: [
      `Neuron: status.capacity has ${served.map(({ resource, total }) => `${total} ${resource}`).join(' and ')}.`,
      ...(chip !== undefined && core !== undefined ? ['Cores are parts of the chips.'] : []),
      ...(machine === undefined ? [] : [`The instance type is ${machine.named}.`]),
    ],
  }
}

/** Chips are offered under two names, which are counted apart: what pods hold of either is gone. */
function chipsUnder(served: readonly Supply[]): Supply | undefined {
  const [chip, ...twins] = served.filter(({ resource }) => !resource.endsWith('core'))
  if (chip === undefined || twins.length === 0) return chip
  const { used } = chip
  return { ...chip, used: used === undefined ? undefined : twins.reduce((sum, twin) => sum + (twin.used ?? 0), used) }
}

/** Cores of a chip. A Trainium2 may show four or eight, so its cores do not tell the number of chips. */
const CORES: Readonly<Record<string, number>> = { inferentia: 4, inferentia2: 2, trainium: 2 }

function chipsOf(core: Supply | undefined, cores: number | undefined): number | undefined {
  if (core === undefined || cores === undefined || core.total % cores !== 0) return undefined
  return core.total / cores
}
