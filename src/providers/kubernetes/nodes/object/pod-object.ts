import { listAt, mapAt, textAt, type Json } from './json.ts'
import { parseQuantity } from './quantity.ts'

/** A pod that holds something of a node. */
export interface PodObject {
  readonly name: string
  readonly namespace: string
  readonly node: string
  /** What the scheduler counts for it, by resource. */
  readonly requests: ReadonlyMap<string, number>
  /** Resources of which the amount is no quantity: how much it holds of them is unknown. */
  readonly unread: readonly string[]
  /** Names of its ResourceClaims in its own namespace; undefined: it has some that are not known by name. */
  readonly claims: readonly string[] | undefined
  readonly priority: number
  /** The object as it came. */
  readonly object: unknown
}

/** Reads a pod; undefined: it is on no node, has ended, or is no pod. */
export function readPodObject(object: unknown): PodObject | undefined {
  const name = textAt(object, 'metadata', 'name')
  const node = textAt(object, 'spec', 'nodeName')
  const phase = textAt(object, 'status', 'phase')
  if (name === undefined || node === undefined || phase === 'Succeeded' || phase === 'Failed') return undefined
  const priority = mapAt(object, 'spec')['priority']
  return {
    name,
    namespace: textAt(object, 'metadata', 'namespace') ?? 'default',
    node,
    requests: requestsOf(mapAt(object, 'spec')),
    unread: unreadOf(mapAt(object, 'spec')),
    claims: claimsOf(object),
    priority: typeof priority === 'number' ? priority : 0,
    object,
  }
}

type Amounts = ReadonlyMap<string, number>

/**
 * What a pod holds, as the scheduler counts it: its containers and sidecars together, or the init container that needs
 * most next to the sidecars started before it, whichever is more; and the overhead of its runtime.
 */
function requestsOf(spec: Json): Amounts {
  let sidecars: Amounts = new Map()
  let starting: Amounts = new Map()
  for (const container of listAt(spec, 'initContainers')) {
    const own = amountsOf(mapAt(container, 'resources'))
    if (textAt(container, 'restartPolicy') === 'Always') sidecars = sum(sidecars, own)
    else starting = larger(starting, sum(sidecars, own))
  }
  const containers = listAt(spec, 'containers').map((container) => amountsOf(mapAt(container, 'resources')))
  const running = containers.reduce(sum, sidecars)
  const parts = larger(running, starting)
  return sum(overruled(parts, amountsOf(mapAt(spec, 'resources'))), quantities(mapAt(spec, 'overhead')))
}

function unreadOf(spec: Json): readonly string[] {
  const parts = [spec, ...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')]
  const maps = parts.flatMap((part) => ['limits', 'requests'].map((key) => mapAt(part, 'resources', key)))
  return [...maps, mapAt(spec, 'overhead')].flatMap((map) =>
    Object.keys(map).filter((key) => parseQuantity(map[key]) === undefined),
  )
}

/** A limit without a request is a request. */
function amountsOf(resources: Json): Amounts {
  return new Map([...quantities(mapAt(resources, 'limits')), ...quantities(mapAt(resources, 'requests'))])
}

function quantities(map: Json): Amounts {
  return new Map(
    Object.entries(map).flatMap(([key, value]): [string, number][] => {
      const amount = parseQuantity(value)
      return amount === undefined ? [] : [[key, amount]]
    }),
  )
}

function sum(one: Amounts, two: Amounts): Amounts {
  return merged(one, two, (left, right) => left + right)
}

function larger(one: Amounts, two: Amounts): Amounts {
  return merged(one, two, Math.max)
}

function merged(one: Amounts, two: Amounts, join: (left: number, right: number) => number): Amounts {
  const all = new Map(one)
  for (const [key, amount] of two) all.set(key, join(all.get(key) ?? 0, amount))
  return all
}

/** What a pod states for itself as a whole replaces the sum of its containers. */
function overruled(parts: Amounts, whole: Amounts): Amounts {
  return new Map([...parts, ...whole])
}

function claimsOf(object: unknown): readonly string[] | undefined {
  const made = new Map(
    listAt(object, 'status', 'resourceClaimStatuses').map((status) => [
      textAt(status, 'name'),
      textAt(status, 'resourceClaimName'),
    ]),
  )
  const named = listAt(object, 'spec', 'resourceClaims').map(
    (claim) => textAt(claim, 'resourceClaimName') ?? made.get(textAt(claim, 'name')),
  )
  const extended = mapAt(object, 'status', 'extendedResourceClaimStatus')
  if (Object.keys(extended).length > 0) named.push(textAt(extended, 'resourceClaimName'))
  const known = named.filter((name) => name !== undefined)
  return known.length === named.length ? known : undefined
}
