import { many } from '../../../../core/base/words.ts'
import { groupCards, isPart } from './device-cards.ts'
import { isAccelerator } from './read-devices.ts'
import { devicesByNode, type SliceDevice } from './slice-devices.ts'

export interface ClusterVersion {
  readonly major: number
  readonly minor: number
}

/** From this version on, a cluster keeps taints and counters of devices unless it is told not to. */
const KEEPS: ClusterVersion = { major: 1, minor: 36 }

/**
 * What a cluster publishes as cards, and what of it cannot be trusted; empty: it publishes none. Older clusters accept taints and
 * counters of devices and drop them without a word, so that a sick card looks well. What is there shows that it is kept.
 */
export function deviceNotes(slices: readonly unknown[], version: ClusterVersion | undefined): readonly string[] {
  const published = [...devicesByNode(slices).values()]
  const nodes = published.filter(({ devices }) => devices.some(isAccelerator)).length
  if (nodes === 0) return []
  const devices = published.flatMap((each) => each.devices.filter(isAccelerator))
  const { cards } = groupCards(devices)
  return [`${many(cards.length, 'card')} of ${many(nodes, 'node')} can be had by claims.`, ...doubts(devices, version)]
}

function doubts(devices: readonly SliceDevice[], version: ClusterVersion | undefined): readonly string[] {
  const hasTaints = devices.some(({ isTainted }) => isTainted)
  const hasCounters = devices.some(({ counterSets }) => counterSets.length > 0)
  const isOld = version === undefined || isBefore(version, KEEPS)
  if (!isOld) return []
  const named = version === undefined ? 'A cluster before 1.36' : `Kubernetes ${version.major}.${version.minor}`
  const dropped = `${named} drops`
  return [
    ...(hasTaints
      ? []
      : [`${dropped} taints of devices unless its gate DRADeviceTaints is on: a sick card may look well.`]),
    ...(hasCounters || !devices.some(isPart)
      ? []
      : [`${dropped} their counters unless its gate DRAPartitionableDevices is on: slices that overlap are not used.`]),
  ]
}

function isBefore(one: ClusterVersion, two: ClusterVersion): boolean {
  return one.major < two.major || (one.major === two.major && one.minor < two.minor)
}
