import { leastLoaded, shareOf, type Chance, type Loaded } from './balance.ts'

/** A replica that gets requests by their key. */
export interface Keyed extends Loaded {
  /** Never used twice. */
  readonly id: string
}

/** A replica takes what belongs to it while it has so many requests more than the one that has the fewest, or this share more. */
const LOAD_MORE = 3
const SHARE_MORE = 0.1

/**
 * The replica for a key: always the same one as long as it is there and not overloaded, then always the same next one. Every
 * gateway chooses the same, without asking the others; a replica that comes or goes moves only its own keys. What counts as
 * overloaded follows from the replica with the least load, not from the average: where all have much to do, nobody waits for a
 * replica that remembers while another one is free.
 */
export function byKey<T extends Keyed>(
  replicas: readonly T[],
  key: string,
  { isAllowed, ...chance }: Chance & { readonly isAllowed: (replica: T) => boolean },
): T | undefined {
  const calmest = leastLoaded(replicas, chance, isAllowed)
  if (calmest === undefined) return undefined
  // One that is new has little because it gets little.
  const least = calmest.load / shareOf(calmest, chance.nowMs)
  const most = least + Math.max(LOAD_MORE, least * SHARE_MORE)
  let best = calmest
  let highest = -1
  for (const replica of replicas) {
    if (replica.load >= most || !isAllowed(replica)) continue
    const score = hash(`${key}\0${replica.id}`)
    if (score > highest) [best, highest] = [replica, score]
  }
  return best
}

/** FNV-1a with a final mix: the same everywhere, and close to even. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** How much of the beginning of a prompt decides, and how much of a body is read to find it. */
const PREFIX_MAX = 2048
export const PREFIX_READ_MAX = 64 * 1024

/**
 * What requests with the same beginning of a prompt have in common: what the model is told first. In a conversation that is
 * the same at every turn, because turns are added at its end.
 */
export function prefixKey(body: string): string {
  const asked = parsed(body)
  const [first, second] = Array.isArray(asked['messages']) ? asked['messages'].map(contentOf) : []
  const told = first === undefined ? textOf(asked['prompt'] ?? asked['input']) : `${first}\0${second ?? ''}`
  return (told === '' ? body : told).slice(0, PREFIX_MAX)
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

function contentOf(message: unknown): string {
  return typeof message === 'object' && message !== null && 'content' in message ? textOf(message.content) : ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}
