import type { Order } from '../../core/life/call/order.ts'
import type { Answer, LaunchCall, Launched } from '../../ports/provider.ts'
import { holdTogether, neverStarts, takenBack, writeGang } from './gang-hold.ts'
import {
  known,
  left,
  makePod,
  preparedFor,
  refuse,
  writeBeside,
  type LaunchAt,
  type LaunchParts,
  type Refused,
} from './launch.ts'
import { nameOf, QUEUE_ANNOTATION } from './names.ts'
import type { KubeObject } from './objects/object.ts'
import { wrongWith } from './order.ts'
import type { Prepared } from './prepare.ts'
import { isOver } from './read/ending.ts'
import type { SeenPod } from './read/pod.ts'

/**
 * Starts all members of a gang or none. The pod of the first comes first: whether it exists, and whether it is over, decides what a
 * repeated launch may still do. A batch scheduler places all of them or none; where there is none, a gang of which one member has no
 * place is taken back whole.
 */
export async function launchGang(
  orders: readonly Order[],
  call: LaunchCall,
  parts: LaunchParts,
): Promise<Answer<readonly Launched[]>> {
  const wrong = orders.map((order) => wrongWith(order, call)).find((one) => one !== undefined)
  const [first] = orders
  if (wrong !== undefined || first === undefined) return refuse('BAD_REQUEST', wrong ?? 'There is no order.')
  const launched = { ok: true, value: orders.map(launchedAs) } as const
  const prepared = await preparedFor(orders, call, parts)
  if (!prepared.ok) return (await known(first, call, parts))?.ok === true ? launched : prepared
  const made = await makeAll(orders, prepared.pods, { call, parts })
  if (!made.ok) return made
  if (made.pods.some(isOver)) return launched
  const refused = await completed(orders, { ...prepared, pods: made.pods }, { call, parts })
  return refused ?? launched
}

function launchedAs({ tag, usdPerHourMax }: Order): Launched {
  return { instance: nameOf(tag.attempt), usdPerHour: usdPerHourMax }
}

type PreparedGang = Extract<Prepared, { readonly ok: true }>
type MadeAll = { readonly ok: true; readonly pods: readonly SeenPod[] } | Refused

async function makeAll(orders: readonly Order[], pods: readonly KubeObject[], at: LaunchAt): Promise<MadeAll> {
  const [first, ...rest] = orders
  const head = first && (await makePod(first, pods[0], at))
  if (head === undefined) return { ok: true, pods: [] }
  // An attempt that was stopped is never started again, not even what was missing of it.
  if (!head.ok || isOver(head.pod)) return head.ok ? { ok: true, pods: [head.pod] } : head
  const made = await Promise.all(rest.map((order, index) => makePod(order, pods[index + 1], at)))
  const there = [head, ...made].flatMap((one) => (one.ok ? [one.pod] : []))
  const faults = made.flatMap((one) => (one.ok ? [] : [one.fault]))
  const [fault] = faults
  if (fault === undefined) return { ok: true, pods: there }
  // What may have been created is found by the next launch, which completes the gang.
  const open = faults.find((one) => one.class === 'AMBIGUOUS' || one.class === 'RATE_LIMIT')
  if (open !== undefined) return refuse('AMBIGUOUS', open.message)
  return takenBack(there, fault, at)
}

/** Writes what the pods need beside themselves, and waits for a verdict. Undefined: the gang is on its way. */
async function completed(
  orders: readonly Order[],
  { pods, group, grounds }: { readonly pods: readonly SeenPod[] } & Pick<PreparedGang, 'group' | 'grounds'>,
  at: LaunchAt,
): Promise<Refused | undefined> {
  const { call, parts } = at
  const beside = await Promise.all(
    orders.map((order, rank) => {
      const pod = pods[rank]
      return pod === undefined ? undefined : writeBeside(order, { pod, ground: grounds[rank] }, at)
    }),
  )
  const fault = beside.find((one) => one !== undefined) ?? (await writeGang(pods, group, at))
  if (fault !== undefined) return left(fault)
  const never = await neverStarts(pods, call, parts)
  if (never !== undefined) return takenBack(pods, never, at)
  const isQueued = pods[0]?.annotations[QUEUE_ANNOTATION] !== undefined
  return isQueued ? undefined : holdTogether(pods, call, parts)
}
