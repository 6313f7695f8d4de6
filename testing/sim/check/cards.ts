import { isBilled, type Placement } from '../../../src/core/life/placement.ts'
import { nodeIn, whyCrowded } from '../../../src/providers/sim/fleets.ts'
import { stepsOf, type Check, type Evidence } from './check.ts'

/** I15: nothing is placed on a card of a fleet, or on a share of a node, that something else of ours holds and runs on. */
export function cardsCheck({ mirror, witness, startedBy, broke }: Evidence): Check {
  /** A release that is still on its way to the store is not seen, so only what runs counts. */
  const runs = ({ order: { tag } }: Placement): boolean => (startedBy(tag.attempt)?.endsMs ?? 0) > witness.nowMs()
  return {
    written: (commit) => {
      for (const { key, before, after } of stepsOf(commit, mirror)) {
        const { provider, region, node: asked } = after.order.place
        if (before !== undefined || asked === undefined || !isBilled(after)) continue
        const fleet = witness.clouds.get(provider)?.spec.fleets?.find((each) => each.region === region)
        const node = fleet && nodeIn(fleet, asked.id)?.node
        const held = [...mirror.placements].flatMap(([other, placement]) => {
          const { place } = placement.order
          const isThere = place.provider === provider && place.region === region && place.node?.id === asked.id
          return other !== key && isThere && isBilled(placement) && runs(placement) ? (place.node ?? []) : []
        })
        const why = node && whyCrowded(node, held, asked)
        if (why !== undefined) broke('I15', `${key}: ${why}`)
      }
    },
  }
}
