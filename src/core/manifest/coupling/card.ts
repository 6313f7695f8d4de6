import { resolveGpu, tpuChips } from '../../hardware/resolve.ts'
import { kindsOf, meantBy, namesOf } from './hint.ts'
import { IN_A_MANIFEST } from './rule.ts'
import type { Card, ForeignGpu, Said } from './rule.ts'

/** Up to this many names are listed; more are only counted. */
const NAMES_MAX = 2

const VENDORS: ReadonlyMap<string, string> = new Map([
  ['nvidia', 'nvidia'],
  ['amd', 'amd'],
  ['intel', 'intel'],
  ['habana', 'intel'],
  ['google', 'google'],
])

/**
 * Reads cards in the short forms of other tools: `H100`, `H100:8`, `A100,H100:80GB..:4`, `nvidia:80GB+:2`, `24GB`, `4`,
 * `tpu-v5e:8`. A part that is neither a count, nor a size, nor a vendor is the name of a card.
 */
export function readCards(text: string): ForeignGpu {
  const whole = /^tpu:/i.test(text) ? text.replace(':', '-') : text
  let request: ForeignGpu = {}
  for (const part of whole.split(':').map((piece) => piece.trim())) {
    if (part !== '') request = mergeParts(request, readPart(part))
  }
  return request
}

/** Alternatives, each in a form that `readCards` reads. The smallest count and size among them is what is needed. */
export function readAlternatives(texts: readonly string[]): ForeignGpu {
  return weakest(texts.map(readCards))
}

/** What these requests have in common: the fewest cards, the least memory, and any card that one of them names. */
export function weakest(requests: readonly ForeignGpu[]): ForeignGpu {
  const counts = requests.flatMap((request) => request.count ?? [])
  const named = requests.every((request) => request.cards !== undefined)
  const sizes = requests.flatMap((request) => (named ? request.minVramGib : leastGib(request)) ?? [])
  return {
    ...(counts.length === 0 ? {} : { count: Math.min(...counts) }),
    ...(named ? { cards: requests.flatMap((request) => request.cards ?? []) } : {}),
    ...(sizes.length < requests.length ? {} : { minVramGib: Math.min(...sizes) }),
    ...agreed('vendor', requests),
    ...agreed('sharing', requests),
  }
}

/** The least card memory that satisfies a request. */
function leastGib(request: ForeignGpu): number | undefined {
  const sizes = meantBy(request).map((model) => model.vramGib)
  return sizes.length === 0 ? request.minVramGib : Math.max(Math.min(...sizes), request.minVramGib ?? 0)
}

function agreed(field: 'vendor' | 'sharing', requests: readonly ForeignGpu[]): ForeignGpu {
  const value = requests[0]?.[field]
  return value !== undefined && requests.every((request) => request[field] === value) ? { [field]: value } : {}
}

/** The card that a name stands for, according to the hardware table. */
export function cardNamed(name: string): Card {
  const text = name.replace(/[!+]$/, '').trim()
  const found = resolveGpu(text)
  if (found.kind === 'unknown') return { text, candidates: [], slice: undefined, linked: false }
  const candidates = found.kind === 'gpu' ? [found.gpu] : found.candidates
  return { text, candidates, slice: found.slice, linked: found.linked }
}

/** Gibibytes in `80GB`, `80 GiB`, `80G`, `80GB..`, `80GB+`, `40GB..80GB`; undefined when it is not a size. */
export function sizeIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([GMT])i?B?(?:\+|\.\..*)?$/i.exec(text.trim()) ?? []
  if (amount === undefined) return undefined
  const factor = { g: 1, m: 1 / 1024, t: 1024 }[unit.toLowerCase()] ?? 1
  return Number(amount) * factor
}

/** The smallest number in `4`, `4+`, `4..`, `2..8`; undefined when it is not a number. */
export function countIn(text: string): number | undefined {
  const [, least] = /^(\d+)(?:\+|\.\.\d*)?$/.exec(text.trim()) ?? []
  return least === undefined ? undefined : Number(least)
}

/** Describes a request for cards. */
export function saidOfCards(request: ForeignGpu): Said {
  const cards = request.cards ?? []
  const meant = meantBy(request)
  if (cards.length === 0) return { does: "asks for cards in another tool's words", lead: IN_A_MANIFEST, gpu: request }
  if (meant.length === 0) return { ...unknownCards(cards), gpu: request }
  if (cards.length > 1)
    return { does: `names ${cards.length} cards`, lead: 'what they have in common is', gpu: request }
  const kinds = kindsOf(meant)
  if (kinds.length > 1) {
    return {
      does: `names a card that exists in ${kinds.length} kinds`,
      lead: 'state which one you need',
      gpu: request,
    }
  }
  return { does: `names one card${listOf(namesOf(meant))}`, gpu: request }
}

function unknownCards(cards: readonly Card[]): Said {
  if (cards.length === 1) return { does: 'names a card that Berth does not know' }
  return { does: `names ${cards.length} cards that Berth does not know`, lead: 'state what you need from them' }
}

function listOf(names: readonly string[]): string {
  return names.length > NAMES_MAX ? '' : `, ${names.join(' or ')}`
}

function readPart(part: string): ForeignGpu {
  const count = countIn(part)
  if (count !== undefined) return { count }
  const minVramGib = sizeIn(part)
  if (minVramGib !== undefined) return { minVramGib }
  if (/^0?\.\d+$/.test(part)) return { count: 1, sharing: 'any' }
  if (/^(any|all|true)$/i.test(part)) return { count: 1 }
  const vendor = VENDORS.get(part.toLowerCase())
  if (vendor !== undefined) return { vendor }
  return readNames(part)
}

/** The name of a TPU slice includes its size, and the name of a time-shared card ends with a suffix. */
function readNames(part: string): ForeignGpu {
  const names = part.split(/[,|]/).filter((name) => name.trim() !== '')
  const whole = names.map((name) => name.replace(/-SHARED$/, ''))
  const chips = tpuChips(names.join())?.chips
  return {
    ...(chips === undefined ? {} : { count: chips }),
    cards: whole.map(cardNamed),
    ...(whole.join() === names.join() ? {} : { sharing: 'any' }),
  }
}

function mergeParts(request: ForeignGpu, part: ForeignGpu): ForeignGpu {
  const cards = [...(request.cards ?? []), ...(part.cards ?? [])]
  return { ...request, ...part, ...(cards.length === 0 ? {} : { cards }) }
}
