import type { GpuModel } from './gpu.ts'
import { editionOf, holds, readSpelling, type SpellingClaim, type Spelling } from './spelling.ts'
import { GPUS } from './table.ts'

/** The models that a name may mean: one of their names has the same base, and everything the name claims is true of them. */
export function namedBy(spelling: Spelling): readonly GpuModel[] {
  const odd = ODD_NAMES.get(keyOf(spelling))
  return odd ?? cardsWithBase(spelling.base).filter((gpu) => claimsHold(spelling, gpu))
}

/** All models with this base name, whatever else the name says. */
export function cardsWithBase(base: string): readonly GpuModel[] {
  return BY_BASE.get(base) ?? []
}

export function claimsHold({ claims, linked, slice }: Spelling, gpu: GpuModel): boolean {
  if (linked && gpu.link === 'none') return false
  if (slice !== undefined && !canBeCut(gpu, slice)) return false
  return claims.every((claim) => holdsOf(gpu, claim))
}

function canBeCut(gpu: GpuModel, slice: NonNullable<Spelling['slice']>): boolean {
  return gpu.mig.some(({ name, gib }) => (slice.profile === undefined ? gib === slice.gib : name === slice.profile))
}

const EDITIONS: ReadonlyMap<GpuModel, ReturnType<typeof editionOf>> = new Map(
  GPUS.map((gpu) => {
    const spelling = readSpelling(gpu.name)
    return [gpu, spelling === undefined ? undefined : editionOf(spelling)]
  }),
)

function holdsOf(gpu: GpuModel, claim: SpellingClaim): boolean {
  return holds(claim, gpu, EDITIONS.get(gpu))
}

/** Every name in the table, read once. */
const NAMES: readonly { readonly gpu: GpuModel; readonly spelling: Spelling; readonly odd: boolean }[] = GPUS.flatMap(
  (gpu) =>
    [gpu.name, ...gpu.aliases].flatMap((name) => {
      const spelling = readSpelling(name)
      return spelling === undefined ? [] : [{ gpu, spelling, odd: !claimsHold(spelling, gpu) }]
    }),
)

const BY_BASE: ReadonlyMap<string, readonly GpuModel[]> = grouped(
  NAMES.filter(({ odd }) => !odd),
  ({ spelling }) => spelling.base,
)

/** The few misleading names: the 480 GB in "GH200 480GB" are the host's memory. */
const ODD_NAMES: ReadonlyMap<string, readonly GpuModel[]> = grouped(
  NAMES.filter(({ odd }) => odd),
  ({ spelling }) => keyOf(spelling),
)

function grouped(
  names: typeof NAMES,
  keyFor: (name: (typeof NAMES)[number]) => string,
): ReadonlyMap<string, readonly GpuModel[]> {
  return new Map([...Map.groupBy(names, keyFor)].map(([key, of]) => [key, [...new Set(of.map(({ gpu }) => gpu))]]))
}

/** The same for every way to write a name. */
function keyOf({ base, claims, slice }: Spelling): string {
  const said = claims.filter(({ kind }) => kind !== 'vendor').map((claim) => JSON.stringify(claim))
  return [base, ...said.toSorted(), JSON.stringify(slice ?? {})].join(' ')
}
