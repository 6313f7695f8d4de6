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

const HOSTS = new Set(CARD_HOSTS.map(({ host }) => host))
const HOST_OF_CARDS = new Map(CARD_HOSTS.map((join) => [`${join.count}x${join.card}`, join]))
const CARD_OF_HOST = new Map(LARGER_HOSTS.map((join) => [join.host, join]))
