import { textAt } from '../object/json.ts'
import type { NodeObject } from '../object/node-object.ts'
import type { PodObject } from '../object/pod-object.ts'

/** Why pods may use cards that no resource of the node counts, so that what is free is not known; undefined: none does. */
export function hiddenUse({ capacity, allocatable }: NodeObject, pods: readonly PodObject[]): string | undefined {
  const isOffered = (key: string): boolean => (capacity.get(key) ?? allocatable?.get(key) ?? 0) > 0
  for (const { name, requests } of pods) {
    const gone = [...requests].find(([key, amount]) => amount > 0 && CARDS.test(key) && !isOffered(key))
    if (gone !== undefined) return `Pod ${name} holds ${gone[0]}, which the node no longer offers.`
  }
  // A pod of the scheduler keeps the card for those that share it.
  if (pods.some(({ namespace }) => namespace.endsWith('-reservation'))) return undefined
  const part = pods.find(({ object }) => PART_OF_CARD.some((key) => isSet(object, key)))
  return part === undefined ? undefined : `Pod ${part.name} has a part of a card, which no resource counts.`
}

const CARDS =
  /^nvidia\.com\/(gpu(\.shared)?$|mig-\d)|^amd\.com\/(gpu$|[sdtqc]px_)|^(google\.com\/tpu|habana\.ai\/gaudi\d?|aws\.amazon\.com\/neuron(core|device)?|gpu\.intel\.com\/(i915|xe))$/

/** By these, pods ask schedulers that share cards (KAI, Run:ai) for a part of one. */
const PART_OF_CARD = ['gpu-fraction', 'gpu-memory']

function isSet(object: unknown, key: string): boolean {
  return textAt(object, 'metadata', 'annotations', key) !== undefined
}
