import type { HostArch } from '../../../../core/hardware/gpu.ts'
import { isMap, listAt, mapAt, textAt, textsAt } from './json.ts'
import { parseQuantity } from './quantity.ts'

/** A Node as far as it says anything about accelerators and room. */
export interface NodeObject {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
  readonly capacity: ReadonlyMap<string, number>
  /** Undefined: the object has no such section. */
  readonly allocatable: ReadonlyMap<string, number> | undefined
  /** Resources whose amount is no quantity. */
  readonly unread: readonly string[]
  readonly taints: readonly NodeTaint[]
  /** There are taints of which the key cannot be read. */
  readonly hasUnreadTaints: boolean
  /** Status by type of condition; where the object contradicts itself, all that it says. */
  readonly conditions: ReadonlyMap<string, string>
  readonly cordoned: boolean
  readonly deleting: boolean
  readonly hostArch: HostArch | undefined
  readonly os: string | undefined
}

export interface NodeTaint {
  readonly key: string
  readonly value: string | undefined
  readonly effect: string
}

/** Reads a Node; a text: why it cannot be read. */
export function readNodeObject(value: unknown): NodeObject | string {
  if (!isMap(value)) return 'this is not an object'
  const name = textAt(value, 'metadata', 'name')
  if (name === undefined) return 'metadata.name is missing'
  if (!isMap(value['status'])) return 'status is missing'
  const capacity = amountsAt(value, 'capacity')
  const allocatable = amountsAt(value, 'allocatable')
  const taints = listAt(value, 'spec', 'taints').flatMap(taintOf)
  return {
    name,
    labels: textsAt(value, 'metadata', 'labels'),
    annotations: textsAt(value, 'metadata', 'annotations'),
    capacity: capacity.amounts,
    allocatable: isMap(value['status']['allocatable']) ? allocatable.amounts : undefined,
    unread: [...new Set([...capacity.unread, ...allocatable.unread])],
    taints,
    hasUnreadTaints: taints.length < countOf(mapAt(value, 'spec')['taints']),
    conditions: conditionsOf(value),
    cordoned: textAt(value, 'spec', 'unschedulable') === 'true',
    deleting: textAt(value, 'metadata', 'deletionTimestamp') !== undefined,
    hostArch: archOf(value),
    os: label(value, 'kubernetes.io/os') ?? textAt(value, 'status', 'nodeInfo', 'operatingSystem'),
  }
}

interface Amounts {
  readonly amounts: ReadonlyMap<string, number>
  readonly unread: readonly string[]
}

function amountsAt(value: unknown, section: string): Amounts {
  const amounts = new Map<string, number>()
  const unread: string[] = []
  for (const [key, amount] of Object.entries(mapAt(value, 'status', section))) {
    const parsed = parseQuantity(amount)
    if (parsed === undefined) unread.push(key)
    else amounts.set(key, parsed)
  }
  return { amounts, unread }
}

/** Taints as they came, readable or not: what is no list counts as one. */
function countOf(taints: unknown): number {
  return Array.isArray(taints) ? taints.length : taints === undefined || taints === null ? 0 : 1
}

function taintOf(value: unknown): readonly NodeTaint[] {
  const key = textAt(value, 'key')
  if (key === undefined) return []
  return [{ key, value: textAt(value, 'value'), effect: textAt(value, 'effect') ?? 'NoSchedule' }]
}

function conditionsOf(value: unknown): ReadonlyMap<string, string> {
  const told = new Map<string, Set<string>>()
  for (const condition of listAt(value, 'status', 'conditions')) {
    const type = textAt(condition, 'type')
    if (type === undefined) continue
    told.set(type, (told.get(type) ?? new Set()).add(textAt(condition, 'status') ?? 'Unknown'))
  }
  return new Map([...told].map(([type, statuses]) => [type, [...statuses].join(' and ')]))
}

function archOf(value: unknown): HostArch | undefined {
  const arch = textAt(value, 'status', 'nodeInfo', 'architecture') ?? label(value, 'kubernetes.io/arch')
  if (arch === 'amd64' || arch === 'arm64') return arch
  return undefined
}

function label(value: unknown, key: string): string | undefined {
  return textAt(value, 'metadata', 'labels', key)
}
