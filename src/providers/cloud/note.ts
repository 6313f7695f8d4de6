import { createHash } from 'node:crypto'
import type { Order, Tag } from '../../core/life/call/order.ts'
import type { Port } from '../../core/manifest/manifest.ts'

/**
 * What every machine that we rent carries with it: its whole tag, and its ports. Any control plane that reads the list of the
 * account knows what it is, even if the reply to the order was lost.
 */
export interface CloudNote {
  readonly tag: Tag
  readonly ports: readonly CloudPort[]
}

type CloudPort = Pick<Port, 'name' | 'port' | 'health'>

const VERSION = 1
/** The note of a gang whose machines were started with one call, so that they carry the same. */
const GANG_VERSION = 2

export function noteOf({ tag, ports }: Pick<Order, 'tag' | 'ports'>): CloudNote {
  return { tag, ports: ports.map(({ name, port, health }) => ({ name, port, health })) }
}

/** As text, short because some clouds keep little of it. */
export function noteText({ tag, ports }: CloudNote): string {
  const { owner, project, workload, uid, slot, epoch, attempt } = tag
  const short = ports.map(({ name, port, health }) => (health === undefined ? [name, port] : [name, port, health]))
  return JSON.stringify([VERSION, owner, project, workload, uid, slot, epoch, attempt, ...short])
}

/** All notes of a gang in one: what differs is told for each member, by rank. Undefined: they differ in more. */
export function gangNoteText(notes: readonly CloudNote[]): string | undefined {
  const members = notes.map(({ tag: { slot, epoch, attempt } }) => [slot, epoch, attempt] as const)
  const [first] = notes
  if (first === undefined) return undefined
  const text = JSON.stringify([GANG_VERSION, members, ...restOf(first)])
  const isSame = notes.every((note, member) => noteText(readGangNote(text, member) ?? note) === noteText(note))
  return isSame ? text : undefined
}

function restOf(note: CloudNote): readonly unknown[] {
  const [, owner, project, workload, uid, , , , ...ports]: readonly unknown[] = JSON.parse(noteText(note))
  return [owner, project, workload, uid, ...ports]
}

/** The note of one member. Undefined: it is no note of a gang, or it has no such member. */
export function readGangNote(text: string, member: number): CloudNote | undefined {
  const value = jsonIn(text)
  if (!Array.isArray(value) || value[0] !== GANG_VERSION || !Array.isArray(value[1])) return undefined
  const [, members, owner, project, workload, uid, ...ports] = value
  const own: unknown = members[member]
  if (!Array.isArray(own)) return undefined
  const [slot, epoch, attempt]: readonly unknown[] = own
  return readNoteText(JSON.stringify([VERSION, owner, project, workload, uid, slot, epoch, attempt, ...ports]))
}

/** Undefined: it is damaged, or from a later version. Then nothing is guessed. */
export function readNoteText(text: string): CloudNote | undefined {
  const value = jsonIn(text)
  if (!Array.isArray(value) || value[0] !== VERSION) return undefined
  const [, owner, project, workload, uid, slot, epoch, attempt, ...ports]: readonly unknown[] = value
  const texts = [owner, project, workload, uid, slot, attempt]
  if (!texts.every((each) => typeof each === 'string') || typeof epoch !== 'number') return undefined
  const read = ports.map(portIn)
  if (!read.every((port) => port !== undefined)) return undefined
  const [o = '', p = '', w = '', u = '', s = '', a = ''] = texts
  return { tag: { owner: o, project: p, workload: w, uid: u, slot: s, epoch, attempt: a }, ports: read }
}

function portIn(value: unknown): CloudPort | undefined {
  if (!Array.isArray(value)) return undefined
  const [name, port, health]: readonly unknown[] = value
  if (typeof name !== 'string' || typeof port !== 'number') return undefined
  return { name, port, health: typeof health === 'string' ? health : undefined }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The note in parts that fit into labels of `length` letters, digits, `-` and `_`. Each has its number and how many there are,
 * so that a missing one is noticed.
 */
export function noteParts(note: CloudNote, length: number): readonly string[] {
  return textParts(noteText(note), length)
}

export function textParts(plain: string, length: number): readonly string[] {
  const text = Buffer.from(plain).toString('base64url')
  const size = length - HEAD
  const count = Math.ceil(text.length / size)
  return Array.from(
    { length: count },
    (_, index) => `${two(index)}${two(count)}${text.slice(index * size, (index + 1) * size)}`,
  )
}

export function readNoteParts(parts: readonly string[]): CloudNote | undefined {
  const text = readTextParts(parts)
  return text === undefined ? undefined : readNoteText(text)
}

/** Undefined: a part is missing. */
export function readTextParts(parts: readonly string[]): string | undefined {
  const sorted = parts.toSorted()
  const count = Number(sorted[0]?.slice(2, HEAD))
  const isWhole =
    sorted.length === count && sorted.every((part, index) => part.startsWith(`${two(index)}${two(count)}`))
  if (!isWhole) return undefined
  return Buffer.from(sorted.map((part) => part.slice(HEAD)).join(''), 'base64url').toString('utf8')
}

const HEAD = 4

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const NAME_MOST = 60

/**
 * The name of a machine, for people who look at the account: `berth-`, a digest of the owner, the attempt. A machine with such a
 * name whose note cannot be read is still known to be ours.
 */
export function machineName({ owner, attempt }: Pick<Tag, 'owner' | 'attempt'>): string {
  return `${ownerPrefix(owner)}${attempt}`.slice(0, NAME_MOST)
}

export function ownerPrefix(owner: string): string {
  return `berth-${createHash('sha256').update(owner).digest('hex').slice(0, 8)}-`
}
