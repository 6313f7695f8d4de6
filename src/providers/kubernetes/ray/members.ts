import * as z from 'zod'
import type { Order, Tag } from '../../../core/life/call/order.ts'
import { readTag, TAG_ANNOTATION, writeTag } from '../names.ts'

/** A node of a RayJob: the attempt that it stands for, and what it costs. */
export interface RayMember {
  readonly tag: Tag
  readonly usdPerHour: number
}

/** What differs from node to node, by rank: slot, epoch, attempt and price. */
const MEMBERS = 'berth.dev/members'

/** When it was stopped, in milliseconds. */
const STOPPED = 'berth.dev/stopped-at'

/** The label by which KubeRay marks each of its pods. */
export const RAY_CLUSTER = 'ray.io/cluster'

type Annotations = Readonly<Record<string, string>>

/** One object stands for all nodes, so it names them all. */
export function writeMembers(orders: readonly Order[]): Annotations {
  const [first] = orders
  if (first === undefined) return {}
  const rows = orders.map(({ tag, usdPerHourMax }) => [tag.slot, tag.epoch, tag.attempt, usdPerHourMax])
  return { [TAG_ANNOTATION]: writeTag(first.tag), [MEMBERS]: JSON.stringify(rows) }
}

/** Undefined: they are missing, or were changed by hand. */
export function readMembers(annotations: Annotations): readonly RayMember[] | undefined {
  const first = readTag(annotations)
  const rows = rowsIn(annotations[MEMBERS])
  if (first === undefined || rows === undefined || rows[0]?.[2] !== first.attempt) return undefined
  return rows.map(([slot, epoch, attempt, usdPerHour]) => ({ tag: { ...first, slot, epoch, attempt }, usdPerHour }))
}

export function stoppedAt(nowMs: number): Annotations {
  return { [STOPPED]: `${nowMs}` }
}

/** Undefined: it was not stopped by us. */
export function readStopped(annotations: Annotations): number | undefined {
  const ms = Number(annotations[STOPPED] ?? Number.NaN)
  return Number.isFinite(ms) ? ms : undefined
}

function rowsIn(text: string | undefined): z.infer<typeof rowsForm> | undefined {
  try {
    return rowsForm.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}

const rowsForm = z.array(z.tuple([z.string().min(1), z.int().min(0), z.string().min(1), z.number().min(0)])).min(1)
