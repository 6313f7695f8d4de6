import type { Request } from '../../fleet/fleet.ts'
import { fitsOn, type FreeState } from './free-state.ts'
import { domainsOf, type GangLevel } from './world.ts'

/** A request for one node, or a gang: the same request on each of several nodes. */
export interface Fit {
  /** For each node. */
  readonly request: Request
  readonly nodes: number
  /** What the nodes of a gang must share; undefined: nothing. */
  readonly within: GangLevel | undefined
}

/** Whether it fits now. */
export function isRoomFor(state: FreeState, { request, nodes: count, within }: Fit): boolean {
  const canHost = (node: number): boolean => fitsOn(state, node, request) !== undefined
  return domainsOf(state.fleet, within).some((nodes) => nodes.filter(canHost).length >= count)
}
