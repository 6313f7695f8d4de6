import { ARCHES } from '../../../../core/hardware/arch.ts'
import { familyOf, modelFacts } from '../../../../core/hardware/family.ts'
import type { GpuHints, GpuModel } from '../../../../core/hardware/gpu.ts'
import { resolveGpu } from '../../../../core/hardware/resolve.ts'
import { vramFits } from '../../../../core/hardware/vram.ts'

/** The card that a name stands for, as far as it is certain. */
export interface CardByName {
  /** Undefined: the name is unknown, or cards of several families have it. */
  readonly facts: GpuModel | undefined
  /** What all the cards that it may mean have in common. */
  readonly vramGib: number | undefined
  readonly arch: string | undefined
  /** Ids of cards that it may mean, where they are not of one family. */
  readonly among: readonly string[]
}

/** Finds the card of a name; a form factor that stays open leaves the family. */
export function cardNamed(text: string, hints: GpuHints = {}): CardByName {
  const found = resolveGpu(text, hints)
  switch (found.kind) {
    case 'unknown':
      return { facts: undefined, vramGib: undefined, arch: undefined, among: [] }
    case 'gpu':
      return known(found.gpu)
    case 'ambiguous': {
      const facts = modelFacts(familyOf(found.candidates) ?? '')
      if (facts !== undefined) return known(facts)
      return {
        facts: undefined,
        vramGib: shared(found.candidates.map((gpu) => gpu.vramGib)),
        arch: shared(found.candidates.map((gpu) => gpu.arch)),
        among: found.candidates.map((gpu) => gpu.id),
      }
    }
  }
}

/** The memory of one card: of the hardware table, unless the node contradicts it; else what the node says. */
export function vramOf(named: CardByName, mib: number | undefined): number | 'contradicts' | undefined {
  if (named.facts === undefined)
    return named.vramGib ?? (mib === undefined || mib > VRAM_MIB_MAX ? undefined : rounded(mib / 1024))
  if (mib !== undefined && !vramFits(named.facts, mib)) return 'contradicts'
  return named.facts.vramGib
}

/** No card has more than half a tebibyte. */
const VRAM_MIB_MAX = 512 * 1024

/** A card whose architecture is another than that of the compute capability, so that one of the two is about another card. */
export function isOtherThan({ arch }: CardByName, compute: string | undefined): boolean {
  if (arch === undefined || compute === undefined) return false
  return Object.hasOwn(ARCHES, arch) && ARCHES[arch]?.targets.includes(compute) === false
}

function known(facts: GpuModel): CardByName {
  return { facts, vramGib: facts.vramGib, arch: facts.arch, among: [] }
}

function shared<T>([first, ...rest]: readonly T[]): T | undefined {
  return rest.every((value) => value === first) ? first : undefined
}

/** One decimal, never more than there is. */
function rounded(gib: number): number {
  return Math.floor(gib * 10 + 1e-6) / 10
}
