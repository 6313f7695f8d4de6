import type { GpuModel } from '../../../../../core/hardware/gpu.ts'
import type { NamedMachine } from '../machine.ts'

/** What one slice takes of its card. */
interface SliceSize {
  readonly compute: number
  readonly gib: number
}

/** The size in a profile: `1g.10gb`, `1g.10gb+me`, `1c.3g.20gb`; undefined: it is no profile. */
export function sliceSize(profile: string): SliceSize | undefined {
  const [, compute, gib] = /^(?:\d+c\.)?(\d+)g\.(\d+)gb(?:[+.-][a-z.]+)*$/.exec(profile) ?? []
  return compute === undefined ? undefined : { compute: Number(compute), gib: Number(gib) }
}

type Slices = ReadonlyMap<string, number>

/** The fewest cards that can hold slices; undefined: a profile cannot be read. */
export function fewestCards(slices: Slices, facts: GpuModel | undefined): number | undefined {
  const taken = takenBy(slices)
  if (taken === undefined) return undefined
  const byCompute = Math.ceil(taken.compute / computeOf(facts))
  // Names of profiles round: two slices of 71 GB share a card of 141.
  const byMemory = facts === undefined ? 0 : Math.ceil(taken.gib / (facts.vramGib * 1.03))
  const byProfile = [...slices].map(([profile, count]) => Math.ceil(count / (mostOf(profile, facts) ?? Infinity)))
  return Math.max(byCompute, byMemory, ...byProfile)
}

/**
 * The cards behind slices: those of the machine's type if they can hold them; else as many as the slices fill without a
 * rest. Undefined: it may be more than the fewest, so it is not certain.
 */
export function cardsBehind(
  slices: Slices,
  facts: GpuModel | undefined,
  machine: NamedMachine | undefined,
): { readonly cards: number; readonly by: string } | undefined {
  const fewest = fewestCards(slices, facts)
  if (fewest === undefined) return undefined
  if (machine?.count !== undefined && machine.slice === undefined && machine.count >= fewest)
    return { cards: machine.count, by: `a ${machine.named} has ${machine.count}` }
  if (facts === undefined || fewest === 0 || (machine?.count ?? fewest) < fewest) return undefined
  const [only, ...others] = slices
  const full = only !== undefined && others.length === 0 ? mostOf(only[0], facts) : undefined
  const isFull =
    full === undefined ? takenBy(slices)?.compute === fewest * computeOf(facts) : (only?.[1] ?? 0) === fewest * full
  return isFull ? { cards: fewest, by: `the slices fill ${fewest}` } : undefined
}

function takenBy(slices: Slices): SliceSize | undefined {
  let taken: SliceSize = { compute: 0, gib: 0 }
  for (const [profile, count] of slices) {
    const size = sliceSize(profile)
    if (size === undefined) return undefined
    taken = { compute: taken.compute + size.compute * count, gib: taken.gib + size.gib * count }
  }
  return taken
}

/** Compute slices of a card: seven on most. */
function computeOf(facts: GpuModel | undefined): number {
  const largest = facts?.mig.map(({ name }) => sliceSize(name)?.compute ?? 0) ?? []
  return Math.max(0, ...largest) || 7
}

function mostOf(profile: string, facts: GpuModel | undefined): number | undefined {
  return facts?.mig.find(({ name }) => name === profile)?.max
}
