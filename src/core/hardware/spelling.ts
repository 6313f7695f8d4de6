import type { GpuModel, Vendor } from './gpu.ts'
import { nominalFits } from './vram.ts'

type Form = NonNullable<GpuModel['form']>
type Edition = 'server' | 'workstation' | 'max-q'

/** What a name says, word by word: the name of the card, and claims about it that must all hold. */
export interface Spelling {
  /** What is left without the claims, in one word: `h100`, `rtxpro6000`, `rtx4060ti`. */
  readonly base: string
  readonly claims: readonly SpellingClaim[]
  readonly linked: boolean
  /** Set when the name is that of a slice; with a profile, or only with its size. */
  readonly slice: { readonly profile: string | undefined; readonly gib: number } | undefined
}

export type SpellingClaim =
  | { readonly kind: 'memory'; readonly gib: number }
  | { readonly kind: 'form'; readonly forms: readonly Form[] }
  | { readonly kind: 'vendor'; readonly vendor: Vendor }
  | { readonly kind: 'arch'; readonly arches: readonly string[] }
  | { readonly kind: 'edition'; readonly edition: Edition }

/** Longer texts are not names. */
const LENGTH_MAX = 120

/** Reads a name; undefined when it cannot be one. It does not check whether such a card exists. */
export function readSpelling(text: string): Spelling | undefined {
  return text.length > LENGTH_MAX ? undefined : spell(wordsOf(text))
}

/** Lower-case words; a MIG profile (`1g.10gb`) stays whole. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\d+g\.\d+gb|[a-z0-9]+/g) ?? []
}

/** Reads a name that is already split into words. */
export function spell(words: readonly string[]): Spelling | undefined {
  const whole = splitForms(joinPairs(words))
  const cut = whole.indexOf('mig')
  const ahead = cut === -1 ? whole : whole.slice(0, cut)
  const behind = cut === -1 ? [] : whole.slice(cut + 1)
  const slice = sliceIn(whole, behind)
  if (cut !== -1 && slice === undefined) return undefined

  const rest = [...ahead, ...behind.filter((word) => sizeIn(word) === undefined)]
  if (isTornApart(rest)) return undefined
  const base = rest.filter((word) => !isClaim(word)).join('')
  if (base === '') return undefined
  return { base, claims: rest.flatMap(claimIn), linked: rest.includes('nvlink'), slice }
}

/** `a 40gb 100` is no A100, nor `l40 gpu s` an L40S: what stands between the letters and the number of a name ends it. */
function isTornApart(words: readonly string[]): boolean {
  return words.some((word, at) => {
    if (isClaim(word)) return false
    const next = words.slice(at + 1).findIndex((later) => !isClaim(later))
    const follower = next < 1 ? '' : (words[at + 1 + next] ?? '')
    return (/^[a-z]{1,2}$/.test(word) && /^\d/.test(follower)) || (/\d$/.test(word) && /^[a-z]$/.test(follower))
  })
}

/** Whether a word says something about a card rather than naming it. */
export function isClaim(word: string): boolean {
  return NOISE.has(word) || PROFILE.test(word) || claimIn(word).length > 0
}

/** Whether a claim is true of a model. `edition` is passed in, because rows have no such field. */
export function holds(claim: SpellingClaim, gpu: GpuModel, edition: Edition | undefined): boolean {
  switch (claim.kind) {
    case 'memory':
      return nominalFits(gpu, claim.gib)
    case 'form':
      return gpu.form !== undefined && claim.forms.includes(gpu.form)
    case 'vendor':
      return gpu.vendor === claim.vendor
    case 'arch':
      return claim.arches.includes(gpu.arch)
    case 'edition':
      return claim.edition === edition
  }
}

/** The edition in a name. Max-Q cards are workstation cards too, and Max-Q is more specific. */
export function editionOf(spelling: Spelling): Edition | undefined {
  const editions = spelling.claims.flatMap((claim) => (claim.kind === 'edition' ? [claim.edition] : []))
  return editions.includes('max-q') ? 'max-q' : editions[0]
}

/** `80 gb` and `max q` are one word each. */
function joinPairs(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1) ?? ''
    const isUnit = /^\d+$/.test(last) && /^(g|gb|gib)$/.test(word)
    if (isUnit || (last === 'max' && word === 'q')) joined.splice(-1, 1, last + word)
    else joined.push(word)
  }
  return joined.includes('maxq') ? joined.filter((word) => word !== 'workstation') : joined
}

/** `h100sxm5` is two words written as one. */
function splitForms(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const [, card, form] = /^([a-z]+\d+[a-z]?)(sxm\d?|pcie|nvl|nvlink)$/.exec(word) ?? []
    return card === undefined || form === undefined ? [word] : [card, form]
  })
}

const PROFILE = /^\d+g\.(\d+)gb$/

function sliceIn(whole: readonly string[], behind: readonly string[]): Spelling['slice'] {
  const profile = whole.find((word) => PROFILE.test(word))
  if (profile !== undefined) return { profile, gib: Number(PROFILE.exec(profile)?.[1]) }
  const gib = behind.map(sizeIn).find((size) => size !== undefined)
  return gib === undefined ? undefined : { profile: undefined, gib }
}

function sizeIn(word: string): number | undefined {
  const [, gib] = /^(\d+)(?:g|gb|gib)$/.exec(word) ?? []
  return gib === undefined ? undefined : Number(gib)
}

/** Words that may appear in the name of any card and that distinguish nothing. */
const NOISE: ReadonlySet<string> = new Set(
  'gpu gpus graphics card tensor core edition generation nvlink mig cc hbm2 hbm2e hbm3e ac'.split(' '),
)

const FORMS: ReadonlyMap<string, readonly Form[]> = new Map<string, readonly Form[]>([
  ['sxm', ['sxm']],
  ['mega', ['sxm']],
  ['pcie', ['pcie']],
  ['oam', ['oam']],
  // Grace machines are sold by the rack: GB200 NVL72.
  ['nvl', ['nvl', 'superchip']],
  ['nvl72', ['superchip']],
  ['superchip', ['superchip']],
  ['grace', ['superchip']],
  // Every card of that generation has this memory, except the plain PCIe cards.
  ['hbm3', ['sxm', 'nvl', 'oam', 'superchip']],
])

/** Each socket belongs to one generation: there is no H100 for SXM4. */
const SOCKETS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['sxm2', ['pascal', 'volta']],
  ['sxm3', ['volta']],
  ['sxm4', ['ampere']],
  ['sxm5', ['hopper']],
  ['sxm6', ['blackwell']],
])

const VENDORS: ReadonlyMap<string, Vendor> = new Map<string, Vendor>([
  ['nvidia', 'nvidia'],
  ['tesla', 'nvidia'],
  ['geforce', 'nvidia'],
  ['amd', 'amd'],
  ['radeon', 'amd'],
  ['instinct', 'amd'],
  ['intel', 'intel'],
  ['habana', 'intel'],
  ['google', 'google'],
  ['aws', 'aws'],
  ['amazon', 'aws'],
  ['qualcomm', 'qualcomm'],
])

const GENERATIONS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['pascal', ['pascal']],
  ['volta', ['volta']],
  ['turing', ['turing']],
  ['ampere', ['ampere']],
  ['lovelace', ['ada']],
  ['hopper', ['hopper']],
  ['blackwell', ['blackwell', 'blackwell-rtx']],
])

const EDITIONS: ReadonlyMap<string, Edition> = new Map<string, Edition>([
  ['server', 'server'],
  ['se', 'server'],
  ['workstation', 'workstation'],
  ['wk', 'workstation'],
  ['ws', 'workstation'],
  ['maxq', 'max-q'],
])

function claimIn(word: string): readonly SpellingClaim[] {
  const gib = sizeIn(word)
  if (gib !== undefined) return [{ kind: 'memory', gib }]
  const forms = FORMS.get(word)
  if (forms !== undefined) return [{ kind: 'form', forms }]
  const sockets = SOCKETS.get(word)
  if (sockets !== undefined)
    return [
      { kind: 'form', forms: ['sxm'] },
      { kind: 'arch', arches: sockets },
    ]
  const vendor = VENDORS.get(word)
  if (vendor !== undefined) return [{ kind: 'vendor', vendor }]
  const arches = GENERATIONS.get(word)
  if (arches !== undefined) return [{ kind: 'arch', arches }]
  const edition = EDITIONS.get(word)
  return edition === undefined ? [] : [{ kind: 'edition', edition }]
}
