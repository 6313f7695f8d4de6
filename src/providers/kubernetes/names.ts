import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Tag } from '../../core/life/call/order.ts'
import type { Port } from '../../core/manifest/manifest.ts'

/** What everything of ours in a cluster is marked with. */
const OURS = 'berth.dev'
export const LABELS = {
  owner: `${OURS}/owner`,
  attempt: `${OURS}/attempt`,
  gang: `${OURS}/gang`,
} as const

/** The tag as it was given: labels cannot hold every text. */
export const TAG_ANNOTATION = `${OURS}/tag`

/** Names and numbers of the ports, for whoever reads the pod: `http=8000,metrics=9000`. */
export const PORTS_ANNOTATION = `${OURS}/ports`

/** The cards that the decision counted on, by their index, and what it costs. */
export const CARDS_ANNOTATION = `${OURS}/cards`
export const PRICE_ANNOTATION = `${OURS}/usd-per-hour`

/** Which batch scheduler has it, in which queue, and the gang that it belongs to there. */
export const SCHEDULER_ANNOTATION = `${OURS}/scheduler`
export const QUEUE_ANNOTATION = `${OURS}/queue`
export const GROUP_ANNOTATION = `${OURS}/group`

/** The gangs of pods, each once. */
export function groupsOf(
  pods: readonly { readonly annotations: Readonly<Record<string, string>> }[],
): readonly string[] {
  return [...new Set(pods.flatMap(({ annotations }) => annotations[GROUP_ANNOTATION] ?? []))]
}

/**
 * Keeps the name of an attempt taken after its end: a repeated launch finds the name in use and starts nothing, and what is
 * known of an evicted pod can be read after the eviction.
 */
export const FINALIZER = `${OURS}/attempt-name`

/** The group of the API in which devices, and claims for them, are kept. */
export const DEVICES = 'resource.k8s.io'

/** The container that runs the workload. */
export const MAIN = 'main'

/** Those that bring its data before it starts, and save what it writes. */
export const FETCH = 'berth-fetch'
export const KEEP = 'berth-keep'

/** The name of everything that belongs to an attempt. Two attempts never share one, and an attempt has always the same. */
export function nameOf(attempt: string): string {
  return isLabel(attempt) && attempt.length <= ATTEMPT_MOST ? `berth-${attempt}` : `berth-x-${digest(attempt, 32)}`
}

const ATTEMPT_MOST = 50

/** Labels to find it by, in the cluster's own tools, too. */
export function labelsOf(tag: Tag): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/managed-by': 'berth',
    'app.kubernetes.io/name': labelValue(tag.workload),
    [LABELS.owner]: labelValue(tag.owner),
    [`${OURS}/project`]: labelValue(tag.project),
    [`${OURS}/workload`]: labelValue(tag.workload),
    [`${OURS}/slot`]: labelValue(tag.slot),
    [LABELS.attempt]: labelValue(tag.attempt),
  }
}

/** Everything of an owner. Two owners may share a value if theirs had to be shortened: the annotation decides. */
export function ownerSelector(owner: string): string {
  return `${LABELS.owner}=${labelValue(owner)}`
}

/** The text itself, or, if it cannot be the value of a label, something like it that no other text has. */
export function labelValue(text: string): string {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(text)) return text
  const like = text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[^A-Za-z0-9]+/g, '')
  return `${like.slice(0, 40)}${like === '' ? 'x' : '.'}${digest(text, 16)}`
}

/** Everything that is not of this owner. */
export function othersSelector(owner: string): string {
  return `${LABELS.owner}!=${labelValue(owner)}`
}

export function writeTag(tag: Tag): string {
  return JSON.stringify(tag)
}

/** Undefined: it is missing, or was changed by hand. */
export function readTag(annotations: Readonly<Record<string, string>> | undefined): Tag | undefined {
  try {
    return tagForm.safeParse(JSON.parse(annotations?.[TAG_ANNOTATION] ?? '')).data
  } catch {
    return undefined
  }
}

export function writePorts(ports: readonly Pick<Port, 'name' | 'port'>[]): string {
  return ports.map(({ name, port }) => `${name}=${port}`).join(',')
}

export function readPorts(annotations: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, number> {
  const stated = [...(annotations?.[PORTS_ANNOTATION] ?? '').matchAll(/([a-z0-9-]+)=(\d{1,5})(?:,|$)/g)]
  return new Map(stated.map(([, name = '', port]) => [name, Number(port)]))
}

/** Undefined: it says nothing about cards. */
export function readCards(annotations: Readonly<Record<string, string>> | undefined): readonly number[] | undefined {
  const stated = annotations?.[CARDS_ANNOTATION]
  return stated !== undefined && /^\d{1,4}(?:,\d{1,4})*$/.test(stated) ? stated.split(',').map(Number) : undefined
}

export function readPrice(annotations: Readonly<Record<string, string>> | undefined): number {
  const usd = Number(annotations?.[PRICE_ANNOTATION] ?? 0)
  return Number.isFinite(usd) && usd >= 0 && usd < 1e6 ? usd : 0
}

const text = z.string().min(1).max(500)
const tagForm = z.object({
  owner: text,
  project: text,
  workload: text,
  uid: text,
  slot: text,
  epoch: z.int().min(0),
  attempt: text,
})

function isLabel(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)
}

function digest(of: string, length: number): string {
  return createHash('sha256').update(of).digest('hex').slice(0, length)
}
