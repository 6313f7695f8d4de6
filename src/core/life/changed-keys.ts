import type { Placement } from './placement.ts'
import { roleOf } from './slots.ts'
import { PAST_MAX, type Workload } from './workload.ts'

/**
 * The keys of the manifest that changed since a slot was placed and that decide what runs in it, as users write them. Nothing,
 * where that is not known: the slot, or the change, is of an older version or too long ago.
 */
export function changedKeys(
  { past = [], generation, manifest }: Workload,
  { order, generation: placedFor = generation }: Placement,
): { readonly keys?: string } {
  // The newest come first. A manifest counts if the slot was placed under it, or before it.
  const since = past.filter((one) => one.generation >= placedFor)
  const isWhole = since.length < PAST_MAX && since.every(({ keys }) => keys !== undefined)
  const role = roleOf(manifest, order.tag.slot)
  const keys = since.toReversed().flatMap((one) => one.keys ?? [])
  const deciding = [...new Set(keys)].filter((key) => isDeciding(key, role))
  return deciding.length === 0 || !isWhole ? {} : { keys: deciding.join(', ') }
}

/** Whether a change of this key may replace what runs in a slot of the role. */
function isDeciding(key: string, role: string | undefined): boolean {
  const own = role === undefined ? '' : `roles.${role}.`
  const [first = ''] = (own !== '' && key.startsWith(own) ? key.slice(own.length) : key).split('.')
  return DECIDING.has(first)
}

/** Everything that makes the identity of what runs. */
const DECIDING: ReadonlySet<string> = new Set([
  'kind',
  'image',
  'secrets',
  'storage',
  'nodes',
  'topology',
  'framework',
  'checkpoint',
  'resources',
  'command',
  'args',
  'env',
  'ports',
])
