import { familyOf, modelFacts } from './family.ts'
import type { GpuModel, Slice } from './gpu.ts'
import { readSpelling } from './spelling.ts'
import { GPUS } from './table.ts'

/** A machine that a provider sells, by its name. */
export interface KnownMachine {
  readonly provider: string
  /** The model, or its family when the name does not say which model it is. */
  readonly gpu: GpuModel
  /** Cards in the machine; undefined when the name does not say. */
  readonly count: number | undefined
  /** Set when the machine has only a part of one card. */
  readonly slice: Slice | undefined
}

/** A pattern of the hardware table that a name matches. */
export interface Sold {
  readonly gpu: GpuModel
  readonly count: number | undefined
  readonly slice: Slice | undefined
  /** The pattern covers everything that the provider sells of this card (`gcp:*`), not one machine. */
  readonly general: boolean
}

/** The machines that a bare instance type may mean, over all providers. The name of a card means none. */
export function knownMachine(name: string): readonly KnownMachine[] {
  if (CARD_NAMES.has(readSpelling(name)?.base ?? '')) return []
  return [...PATTERNS.keys()].flatMap((provider) => {
    const sold = soldAs(provider, name).filter(({ general }) => !general)
    const family = familyOf(sold.map(({ gpu }) => gpu))
    const facts = family === undefined || sold.length === 1 ? undefined : modelFacts(family)
    const kept = facts === undefined ? sold : sold.slice(0, 1)
    return kept.map(({ gpu, count, slice }) => ({ provider, gpu: facts ?? gpu, count, slice }))
  })
}

/** What the table knows about a machine, or about a provider's name for a card. */
export function soldAs(provider: string, name: string): readonly Sold[] {
  const wanted = name.trim().toLowerCase()
  const matches = (PATTERNS.get(provider.trim().toLowerCase()) ?? []).flatMap((pattern) => match(pattern, wanted))
  const special = matches.filter(({ general }) => !general)
  return special.length > 0 ? special : matches
}

interface Pattern {
  readonly gpu: GpuModel
  readonly provider: string
  readonly name: RegExp
  /** As written in the table: `8`, `1/4`. */
  readonly count: string | undefined
  readonly general: boolean
}

const PATTERNS: ReadonlyMap<string, readonly Pattern[]> = Map.groupBy(
  GPUS.flatMap((gpu) => gpu.soldAs.map((text) => patternOf(gpu, text))),
  ({ provider }) => provider,
)

const CARD_NAMES: ReadonlySet<string> = new Set(
  GPUS.flatMap((gpu) => [gpu.name, ...gpu.aliases]).flatMap((name) => readSpelling(name)?.base ?? []),
)

function patternOf(gpu: GpuModel, text: string): Pattern {
  const colon = text.indexOf(':')
  const [, name = '', count] = /^(.*?)(?:=([\d/]+))?$/.exec(text.slice(colon + 1)) ?? []
  const source = name.toLowerCase().replaceAll(/[.+]/g, '\\$&').replaceAll('*', '.*').replaceAll('#', '(\\d+)')
  return { gpu, provider: text.slice(0, colon), name: new RegExp(`^${source}$`), count, general: name === '*' }
}

function match({ gpu, name, count, general }: Pattern, wanted: string): readonly Sold[] {
  const found = name.exec(wanted)
  if (found === null) return []
  const cards = count ?? found[1]
  if (cards === undefined) return [{ gpu, count: undefined, slice: undefined, general }]
  if (!cards.startsWith('1/')) return [{ gpu, count: Number(cards), slice: undefined, general }]
  const slice: Slice = { kind: 'share', profile: undefined, gib: gpu.vramGib / Number(cards.slice(2)) }
  return [{ gpu, count: 1, slice, general }]
}
