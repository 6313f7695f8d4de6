import { PLAIN_CARDS_MAX, type Supply } from '../accelerators.ts'
import type { NodeObject } from '../../object/node-object.ts'
import type { NvidiaNode } from './nvidia-node.ts'

/**
 * Why a number that nothing else vouches for may count shares or slices instead of cards; undefined: nothing speaks against it.
 * A plugin that shares cards under their plain name leaves no other trace where feature discovery is not installed.
 */
export function doubtOn(seen: NvidiaNode, { total }: Supply): string | undefined {
  const { node, registered } = seen
  if (registered !== undefined || node.labels.get('gpu') === 'on') return 'a scheduler that divides cards is at work'
  if (total <= 1) return undefined
  const config = node.labels.get(CONFIG)
  if (config !== undefined) return `label ${CONFIG}=${config} may say so`
  const left = leftBehind(node)
  if (left !== undefined) return `${left} is left from when they were`
  if (node.labels.size === 0) return 'the object has no labels, which would say so'
  if (total > PLAIN_CARDS_MAX || ODD_NUMBERS.has(total)) return 'no machine is made with so many'
  return smallHost(node, total)
}

/** Names the settings that the device plugin takes for this node, sharing among them. */
const CONFIG = 'nvidia.com/device-plugin.config'

/** Numbers of shares, ten by default, that are no usual numbers of cards. */
const ODD_NUMBERS: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 14, 15])

/** The name that the plugin gives to shares or slices, which stays with an amount of zero when it calls them cards. */
function leftBehind({ capacity, allocatable }: NodeObject): string | undefined {
  const names = [...capacity.keys(), ...(allocatable?.keys() ?? [])]
  return names.find((name) => /^nvidia\.com\/(gpu\.shared$|mig-\d)/.test(name))
}

/** Machines with several cards have several cores and more memory for each of them. */
function smallHost({ capacity, allocatable }: NodeObject, total: number): string | undefined {
  const cores = capacity.get('cpu') ?? allocatable?.get('cpu')
  const bytes = capacity.get('memory') ?? allocatable?.get('memory')
  const needed = total > USUAL_CARDS_MAX ? CORES_FOR_MANY : CORES_FOR_CARD
  if (cores !== undefined && cores < total * needed) return `the machine has ${cores} cores only`
  if (bytes !== undefined && bytes < total * MEMORY_FOR_CARD) return 'the machine has little memory for so many'
  return undefined
}

/** Sixteen are more often eight cards, each shared by two, unless the machine is very large. */
const USUAL_CARDS_MAX = 8
const CORES_FOR_MANY = 8
const CORES_FOR_CARD = 3.5
const MEMORY_FOR_CARD = 11 * 1024 ** 3
