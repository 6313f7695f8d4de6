/**
 * One provider of the catalogue prices cards and the machines around them in separate rows. This table says which
 * machine has which cards there, as in the defaults of the provider's console.
 */
export interface CardHost {
  /** As the catalogue names the card. */
  readonly card: string
  readonly count: number
  readonly host: string
  /** `fixed`: the host only exists with these cards. `attached`: the host is also sold without them. */
  readonly kind: 'fixed' | 'attached'
}

export const SPLIT_PROVIDER = 'gcp'

const CARD_HOSTS: readonly CardHost[] = [
  ...fixed('A100', { 1: 'a2-highgpu-1g', 2: 'a2-highgpu-2g', 4: 'a2-highgpu-4g', 8: 'a2-highgpu-8g' }),
  ...fixed('A100', { 16: 'a2-megagpu-16g' }),
  ...fixed('A100-80GB', { 1: 'a2-ultragpu-1g', 2: 'a2-ultragpu-2g', 4: 'a2-ultragpu-4g', 8: 'a2-ultragpu-8g' }),
  ...fixed('L4', { 1: 'g2-standard-4', 2: 'g2-standard-24', 4: 'g2-standard-48', 8: 'g2-standard-96' }),
  ...fixed('H100', { 1: 'a3-highgpu-1g', 2: 'a3-highgpu-2g', 4: 'a3-highgpu-4g', 8: 'a3-highgpu-8g' }),
  ...fixed('H100-MEGA', { 8: 'a3-megagpu-8g' }),
  ...fixed('H200', { 8: 'a3-ultragpu-8g' }),
  ...fixed('B200', { 8: 'a4-highgpu-8g' }),
  ...fixed('RTXPRO6000', { 1: 'g4-standard-48', 2: 'g4-standard-96', 4: 'g4-standard-192', 8: 'g4-standard-384' }),
  ...attached('T4', { 1: 'n1-standard-4', 2: 'n1-standard-8', 4: 'n1-standard-16' }),
  ...attached('P4', { 1: 'n1-standard-4', 2: 'n1-standard-8', 4: 'n1-standard-16' }),
  ...attached('P100', { 1: 'n1-standard-8', 2: 'n1-standard-16', 4: 'n1-standard-32' }),
  ...attached('V100', { 1: 'n1-standard-8', 2: 'n1-standard-16', 4: 'n1-standard-32', 8: 'n1-standard-64' }),
]

/** Larger hosts of the same family with one card: the card's own row already went to the smallest host. */
const LARGER_HOSTS: readonly CardHost[] = ['g2-standard-8', 'g2-standard-12', 'g2-standard-16', 'g2-standard-32'].map(
  (host) => ({ card: 'L4', count: 1, host, kind: 'fixed' }),
)

/** The largest host, in CPUs and GiB, that the provider attaches so many of these cards to. */
const ATTACHED_MAX: Readonly<Record<string, Readonly<Record<number, readonly [cpu: number, memoryGib: number]>>>> = {
  T4: { 1: [48, 312], 2: [48, 312], 4: [96, 624] },
  P4: { 1: [24, 156], 2: [48, 312], 4: [96, 624] },
  P100: { 1: [16, 104], 2: [32, 208], 4: [64, 208] },
  V100: { 1: [12, 78], 2: [24, 156], 4: [48, 312], 8: [96, 624] },
}

/** Hosts that cards are attached to, in all their sizes. */
const SIZES: readonly string[] = ['highmem', 'standard'].flatMap((shape) =>
  [2, 4, 8, 16, 32, 64, 96].map((cpus) => `n1-${shape}-${cpus}`),
)

/** Hosts whose price is zero because it is part of the price of the cards. */
export const HOSTS_INCLUDED: ReadonlySet<string> = new Set(['a4-highgpu-8g'])

/** Families that exist only with cards: a row for the host alone is never an offer. */
const CARD_ONLY_FAMILY = /^(?:a2|a3|a4|a4x|g2|g4)-/

export function isNeverSoldAlone(host: string): boolean {
  return CARD_ONLY_FAMILY.test(host)
}

/** Whether cards are ever combined with this host. */
export function isHostOfCards(host: string): boolean {
  return HOSTS.has(host)
}

export function hostFor(card: string, count: number): CardHost | undefined {
  return HOST_OF_CARDS.get(`${count}x${card}`)
}

/** What a host must have to be larger than another one. */
interface HostSize {
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
}

/** The hosts that might have the same cards, by name. Which of them are larger is for `isLarger` to say. */
export function otherHosts(join: CardHost): readonly CardHost[] {
  if (join.kind === 'fixed') return []
  return SIZES.filter((host) => host !== join.host).map((host) => ({ ...join, host }))
}

/** Whether a host has at least as much of everything as the usual one, and no more than these cards can be attached to. */
export function isLarger({ card, count }: CardHost, host: HostSize, usual: HostSize): boolean {
  const max = ATTACHED_MAX[card]?.[count]
  if (max === undefined) return false
  const isWithin = (size: number | undefined, low: number | undefined, high: number): boolean =>
    size !== undefined && low !== undefined && size >= low && size <= high
  return isWithin(host.cpu, usual.cpu, max[0]) && isWithin(host.memoryGib, usual.memoryGib, max[1])
}

export function cardFor(host: string): CardHost | undefined {
  return CARD_OF_HOST.get(host)
}

/** The name of the whole machine. For hosts that are also sold alone, it includes the added cards. */
export function joinedName(join: CardHost): string {
  switch (join.kind) {
    case 'fixed':
      return join.host
    case 'attached':
      return `${join.host} + ${join.count} × ${join.card}`
  }
}

function fixed(card: string, hosts: Readonly<Record<number, string>>): readonly CardHost[] {
  return Object.entries(hosts).map(([count, host]) => ({ card, count: Number(count), host, kind: 'fixed' }))
}

function attached(card: string, hosts: Readonly<Record<number, string>>): readonly CardHost[] {
  return Object.entries(hosts).map(([count, host]) => ({ card, count: Number(count), host, kind: 'attached' }))
}

const HOSTS = new Set([...CARD_HOSTS.map(({ host }) => host), ...SIZES])
const HOST_OF_CARDS = new Map(CARD_HOSTS.map((join) => [`${join.count}x${join.card}`, join]))
const CARD_OF_HOST = new Map(LARGER_HOSTS.map((join) => [join.host, join]))
