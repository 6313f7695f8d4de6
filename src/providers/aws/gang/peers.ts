import type { Instance } from '@aws-sdk/client-ec2'
import { readTextParts } from '../../cloud/note.ts'
import { NOTE } from '../launch.ts'

/** Where each machine of a gang reads the addresses of all: the number of parts, and addresses by rank. */
const PEERS = 'berth-peers-'
const VALUE_MOST = 240

interface Tag {
  readonly Key: string
  readonly Value: string
}

/** Machines of one gang, which do not know each other yet, and what they are to be told. */
export interface Introduction {
  readonly ids: readonly string[]
  readonly tags: readonly Tag[]
}

/** `berth-peers-0 = 1:10.0.0.4,10.0.0.5` */
export function peerTags(addresses: readonly string[]): readonly Tag[] {
  const parts: string[] = []
  for (const address of addresses) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + address.length < VALUE_MOST) parts[parts.length - 1] = `${last},${address}`
    else parts.push(address)
  }
  return parts.map((part, index) => ({
    Key: `${PEERS}${index}`,
    Value: index === 0 ? `${parts.length}:${part}` : part,
  }))
}

/**
 * Gangs all of whose machines have an address and which were not introduced, because the control plane that started them died right
 * after. Machines that were started with one call are in one reservation, in which each has its number.
 */
export function introductions(instances: readonly Instance[]): readonly Introduction[] {
  const alive = instances.filter(({ State }) => State?.Name === 'pending' || State?.Name === 'running')
  const gangs = Map.groupBy(
    alive.filter((each) => membersOf(each) > 1),
    noteOf,
  )
  return [...gangs.values()].flatMap((machines) => introductionOf(machines) ?? [])
}

/** Undefined: a machine or an address is missing, or they know each other. */
export function introductionOf(machines: readonly Instance[]): Introduction | undefined {
  const sorted = machines.toSorted((one, two) => (one.AmiLaunchIndex ?? 0) - (two.AmiLaunchIndex ?? 0))
  const addresses = sorted.flatMap(({ PrivateIpAddress = '' }) => (PrivateIpAddress === '' ? [] : [PrivateIpAddress]))
  const ids = sorted.flatMap(({ InstanceId }) => InstanceId ?? [])
  const isKnown = sorted.every(({ Tags = [] }) => Tags.some(({ Key }) => Key === `${PEERS}0`))
  const [first] = sorted
  const count = first === undefined ? 0 : membersOf(first)
  const isWhole = sorted.every(({ AmiLaunchIndex }, index) => AmiLaunchIndex === index) && sorted.length === count
  if (!isWhole || isKnown || addresses.length !== count || ids.length !== count) return undefined
  return { ids, tags: peerTags(addresses) }
}

function noteOf({ Tags = [] }: Instance): string {
  const parts = Tags.flatMap(({ Key = '', Value = '' }) => (Key.startsWith(NOTE) ? [Value] : []))
  return readTextParts(parts) ?? ''
}

/** How many members the gang of a machine has; 0: it is in none. */
function membersOf(instance: Instance): number {
  try {
    const [, members]: readonly unknown[] = JSON.parse(noteOf(instance))
    return Array.isArray(members) ? members.length : 0
  } catch {
    return 0
  }
}
