import { fleetOffers } from '../../../core/pack/owned/fleet-offers.ts'
import type { HostFacts, OwnedFleet } from '../../../core/fleet/owned-fleet.ts'
import { formsOf } from './fleet/forms.ts'
import { placeNode, type FleetPlace } from './fleet/node.ts'
import { tenantsOf } from './fleet/tenants.ts'
import type { ClusterFleet, ClusterView, LeftNode } from './fleet/view.ts'
import { claimedDevices } from './dra/claimed.ts'
import { readCluster } from './read-cluster.ts'

export type { ClusterFleet, ClusterView, OurPod } from './fleet/view.ts'

/** Reads a cluster into a fleet. Pure: the same objects give the same fleet, whatever their order. */
export type FleetOf = (cluster: ClusterView) => ClusterFleet

export const fleetOf: FleetOf = (view) => {
  const { slices, claims, pods } = view
  const { nodes, unread } = readCluster({ nodes: view.nodes, pods, slices, claims })
  const placed = nodes
    .toSorted((one, two) => (one.object.name < two.object.name ? -1 : 1))
    .map((node) => ({ name: node.object.name, node, place: placeNode(node, view) }))
  const places = placed.flatMap(({ place }) => (typeof place === 'string' ? [] : [place]))
  const claimed = claimedDevices(claims ?? [])
  const fleet: OwnedFleet = {
    provider: view.provider,
    region: view.region,
    fleet: { nodes: places.map(({ node }) => node) },
    tenants: places.flatMap((place, index) => tenantsOf(place, { index, claimed, ours: view.ours })),
  }
  const hosts = places.map((place) => hostOf(place, view))
  return {
    fleet,
    offers: formsOf(fleetOffers(fleet, hosts), places, view.prices ?? []),
    asks: new Map(places.map(({ node, ask }) => [node.id, ask])),
    left: [
      ...placed.flatMap(({ name, place }): LeftNode[] => (typeof place === 'string' ? [{ name, why: place }] : [])),
      ...unread.map(({ name, why }) => ({ name: name ?? '(no name)', why })),
    ],
  }
}

function hostOf({ read: { object, reading } }: FleetPlace, { host }: ClusterView): HostFacts {
  return {
    hostArch: object.hostArch,
    driver: reading.vendor === 'nvidia' ? reading.driver : undefined,
    cuda: reading.cuda,
    inbound: host?.inbound,
    volumeGib: host?.volumeGib,
  }
}
