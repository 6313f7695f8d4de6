import type { Order, Tag } from '../../core/life/call/order.ts'
import type { Port } from '../../core/manifest/manifest.ts'

/**
 * What is written down for everything that we start, before it is started, and never changed: who owns it and what it holds of
 * the host. A later process of Berth, or another one, knows nothing more.
 */
export interface Note {
  readonly tag: Tag
  readonly ports: readonly NotedPort[]
  readonly claim: HostClaim
}

/** `host`: the number on the loopback address; undefined: the engine chooses it, and is asked for it. */
export interface NotedPort extends Pick<Port, 'name' | 'port' | 'health'> {
  readonly host: number | undefined
}

/** What it holds of the host. */
export interface HostClaim {
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number
  /** Indices of cards, ascending. */
  readonly cards: readonly number[]
}

const NOTE_VERSION = 1

/** As text for a file or a label. */
export function writeNote({ tag, ports, claim }: Note): string {
  return JSON.stringify({ version: NOTE_VERSION, tag, ports, claim })
}

/** Undefined: it is damaged, or from a later version. Then nothing is guessed. */
export function readNote(text: string): Note | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isNote(value) ? noteOf(value) : undefined
  } catch {
    return undefined
  }
}

/** What the packing assumed, if it was packed; otherwise what the order says. */
export function claimOf(order: Order, cards: readonly number[]): HostClaim {
  const request = order.place.node?.request
  if (request !== undefined) {
    const { cpuMilli, memoryMib, diskMib } = request
    return { cpuMilli, memoryMib, diskMib, cards }
  }
  return {
    cpuMilli: Math.ceil((order.cpu ?? 0) * 1000),
    memoryMib: Math.ceil((order.memoryGib ?? 0) * 1024),
    diskMib: Math.ceil((order.diskGib ?? 0) * 1024),
    cards,
  }
}

/** Fresh objects with known keys only. Keys that are missing in JSON become undefined again. */
function noteOf({ tag, ports, claim }: Note): Note {
  const { owner, project, workload, uid, slot, epoch, attempt } = tag
  return {
    tag: { owner, project, workload, uid, slot, epoch, attempt },
    ports: ports.map(({ name, port, health, host }) => ({ name, port, health, host })),
    claim: { ...claim, cards: [...claim.cards] },
  }
}

function isNote(value: unknown): value is Note {
  return (
    isRecord(value) &&
    value['version'] === NOTE_VERSION &&
    isTag(value['tag']) &&
    isListOf(value['ports'], isPort) &&
    isClaim(value['claim'])
  )
}

function isTag(value: unknown): value is Tag {
  if (!isRecord(value) || typeof value['epoch'] !== 'number') return false
  return ['owner', 'project', 'workload', 'uid', 'slot', 'attempt'].every((key) => typeof value[key] === 'string')
}

function isPort(value: unknown): boolean {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['port'] !== 'number') return false
  const { health, host } = value
  return (health === undefined || typeof health === 'string') && (host === undefined || typeof host === 'number')
}

function isClaim(value: unknown): boolean {
  if (!isRecord(value)) return false
  const isCounted = ['cpuMilli', 'memoryMib', 'diskMib'].every((key) => typeof value[key] === 'number')
  return isCounted && isListOf(value['cards'], (card) => typeof card === 'number')
}

function isListOf(value: unknown, isOne: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
