import type { GpuHints, GpuModel, Resolution, Slice } from './gpu.ts'
import { soldAs, type Sold } from './instances.ts'
import { cardsWithBase, claimsHold, namedBy } from './naming.ts'
import { isClaim, readSpelling, spell, wordsOf, type Spelling } from './spelling.ts'
import { FAMILIES, gpuById } from './table.ts'
import { tpuChips } from './tpu.ts'
import { vramFits } from './vram.ts'

export { tpuChips } from './tpu.ts'

/**
 * Finds the accelerator that a name stands for. What the name itself says must hold. What else is known about its row
 * (`hints`) only chooses among the cards that the name allows, and a hint that fits none of them is ignored. The caller
 * checks whether a source contradicts itself (`vramFits`).
 */
export function resolveGpu(text: string, hints: GpuHints = {}): Resolution {
  const pod = tpuChips(text)
  if (pod !== undefined) return answer(byId(pod.model), { slice: undefined, linked: false })
  const spelling = readSpelling(text)
  const named = spelling === undefined ? [] : namedBy(spelling)
  if (spelling === undefined || named.length === 0) return answer(byId(text), { slice: undefined, linked: false })

  const sold = soldHere(text, hints)
  const told = tellBySale(named, spelling, sold)
  const seen = tellByInstance(told, spelling, hints)
  const fits = narrow(seen, (gpu) => hints.vramMib === undefined || vramFits(gpu, hints.vramMib))
  const slice = sliceNamed(spelling, fits) ?? sliceSold(sold, fits)
  return answer(fits, { slice, linked: spelling.linked || wordsOf(hints.instance ?? '').includes('nvlink') })
}

function answer(
  found: readonly GpuModel[],
  { slice, linked }: { readonly slice: Slice | undefined; readonly linked: boolean },
): Resolution {
  const [gpu, ...others] = found
  if (gpu === undefined) return { kind: 'unknown' }
  if (others.length === 0) return { kind: 'gpu', gpu, slice, linked }
  const candidates = found.toSorted((one, two) => (one.id < two.id ? -1 : 1))
  return { kind: 'ambiguous', candidates, slice, linked }
}

/** Our own ids are names too, including those of families. */
function byId(text: string): readonly GpuModel[] {
  const id = text.trim().toLowerCase()
  const gpu = gpuById(id)
  return gpu === undefined ? (FAMILIES.get(id) ?? []) : [gpu]
}

/** Providers name machines, and some have their own names for cards too. */
function soldHere(text: string, { provider, instance }: GpuHints): readonly Sold[] {
  if (provider === undefined) return []
  const byInstance = soldAs(provider, instance ?? '')
  return byInstance.some(({ general }) => !general) ? byInstance : soldAs(provider, text)
}

/**
 * A known machine resolves a loose name, even one that usually means another card ("H100" for the 94 GB card). When the
 * name itself contradicts the machine, one of the two is wrong, and both stay possible.
 */
function tellBySale(named: readonly GpuModel[], spelling: Spelling, sold: readonly Sold[]): readonly GpuModel[] {
  const alike = cardsWithBase(spelling.base)
  const families = new Set(named.map((gpu) => gpu.family))
  const fitting = sold.map(({ gpu }) => gpu).filter((gpu) => alike.includes(gpu) || families.has(gpu.family))
  const agreeing = fitting.filter((gpu) => claimsHold(spelling, gpu))
  return agreeing.length > 0 ? agreeing : [...named, ...fitting]
}

/** The name of a machine may say more than the name of its card: SXM or PCIe, or `RTX_3060_Ti` where the card is "RTX3060". */
function tellByInstance(told: readonly GpuModel[], spelling: Spelling, hints: GpuHints): readonly GpuModel[] {
  const machine = cardInInstance(hints.instance ?? '', spelling.base)
  if (machine === undefined) return told
  if (machine.base === spelling.base) {
    // Each claim counts separately: the size in `h100x8-640gb` is not that of one card.
    return machine.claims.reduce(
      (left, claim) => narrow(left, (gpu) => claimsHold({ ...machine, claims: [claim] }, gpu)),
      told,
    )
  }
  const { vramMib } = hints
  const finer = namedBy(machine)
  if (vramMib === undefined) return [...new Set([...told, ...finer])]
  const fits = finer.filter((gpu) => vramFits(gpu, vramMib))
  return fits.length > 0 ? fits : told
}

/** The most words of a machine's name that name its card. */
const CARD_WORDS_MAX = 4

/** The card in the name of a machine, if it is the known card or a more specific one. */
function cardInInstance(instance: string, base: string): Spelling | undefined {
  const words = wordsOf(instance).map(withoutCount)
  let best: Spelling | undefined
  for (const [start] of words.entries()) {
    for (let length = 1; length <= CARD_WORDS_MAX; length++) {
      const name = words.slice(start, start + length)
      const claims = leadingClaims(words.slice(start + length))
      const found = isFiner(name.join(''), base) ? spell([...name, ...claims]) : undefined
      if (found !== undefined && found.base.length > (best?.base.length ?? 0) && cardsWithBase(found.base).length > 0) {
        best = found
      }
    }
  }
  return best
}

function leadingClaims(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !isClaim(word))
  return end === -1 ? words : words.slice(0, end)
}

/** `8xA100`, `A100x8` and `1A100` count cards; `RTX4090` does not. */
function withoutCount(word: string): string {
  return word.replace(/^\d+x?(?=[a-z]+\d)/, '').replace(/(?<=\d[a-z]*)x\d+$/, '')
}

/** `rtx3060ti` is more specific than `rtx3060`; `l40` is not a kind of `l4`. */
function isFiner(name: string, base: string): boolean {
  return name.startsWith(base) && !/^\d/.test(name.slice(base.length))
}

function narrow(gpus: readonly GpuModel[], isMeant: (gpu: GpuModel) => boolean): readonly GpuModel[] {
  const left = gpus.filter(isMeant)
  return left.length > 0 ? left : gpus
}

function sliceNamed({ slice }: Spelling, gpus: readonly GpuModel[]): Slice | undefined {
  if (slice === undefined) return undefined
  const names = new Set(gpus.flatMap(({ mig }) => mig.filter(({ gib }) => gib === slice.gib).map(({ name }) => name)))
  const [only] = names
  return { kind: 'mig', profile: slice.profile ?? (names.size === 1 ? only : undefined), gib: slice.gib }
}

function sliceSold(sold: readonly Sold[], gpus: readonly GpuModel[]): Slice | undefined {
  return sold.find(({ gpu }) => gpus.includes(gpu))?.slice
}
