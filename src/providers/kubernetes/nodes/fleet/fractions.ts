import { textAt, textsAt } from '../object/json.ts'
import type { PodObject } from '../object/pod-object.ts'
import type { Holding } from './cards-left.ts'

/** KAI's word for pods that share one card. A pod with several cards has a label for each. */
const GROUP = 'runai-gpu-group'

/** Parts of cards that a pod has from KAI, one for each card. What is not stated as a part may be all of it. */
export function fractionsOf({ object }: PodObject): readonly Holding[] {
  const part = Number(textAt(object, 'metadata', 'annotations', 'gpu-fraction'))
  const milli = part > 0 && part < 1 ? Math.ceil(part * 1000 - 1e-6) : 1000
  if (isOfKai(object)) return []
  return groupsOf(object).map((group) => ({ count: 1, part: { kind: 'share', milli }, group }))
}

/** Whether it only keeps a card for pods that are counted themselves. Until one of them is there, it holds the card. */
export function isReservation({ object }: PodObject, pods: readonly PodObject[]): boolean {
  if (!isOfKai(object)) return false
  const groups = new Set(groupsOf(object))
  return pods.some((pod) => !isOfKai(pod.object) && groupsOf(pod.object).some((group) => groups.has(group)))
}

function isOfKai(object: unknown): boolean {
  return (textAt(object, 'metadata', 'namespace') ?? '').endsWith('-resource-reservation')
}

function groupsOf(object: unknown): readonly string[] {
  const labels = textsAt(object, 'metadata', 'labels')
  const several = [...labels].flatMap(([key, value]) => (key.startsWith(`${GROUP}/`) ? [value] : []))
  const only = labels.get(GROUP)
  return several.length > 0 || only === undefined ? several : [only]
}
