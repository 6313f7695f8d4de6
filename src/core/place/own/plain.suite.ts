import { must } from '../../base/assert.ts'
import { at, listingAt } from '../../offer/snapshot.ts'
import { bestLink } from '../../pack/owned/card-link.ts'
import { ReferencePacker } from '../../pack/engine/reference.ts'
import { FleetRoom } from '../../pack/owned/room.ts'
import { chooses } from '../../requirement/need/choice.ts'
import { LINK_RANK } from '../../hardware/link.ts'
import type { Plan } from '../plan.ts'
import { compareStandings, type RankedOffer } from '../rank.ts'
import type { Asking } from './options.ts'
import { OwnRows } from './rows.ts'

interface Scored {
  readonly option: Asking
  readonly standing: RankedOffer
  readonly score: number
}

/**
 * Where the first replica of a plan goes if every row of every fleet is looked at with the reference engine: the node and its
 * cards. Undefined: it goes to no fleet. For work on one node that may go anywhere.
 */
export function plainSpot({ snapshot, asks }: Plan): unknown {
  const { ask, tally, ranking } = must(asks[0], 'a plan has an ask')
  const rows = new OwnRows(snapshot)
  const rooms = snapshot.fleets.map(
    (owned) => new FleetRoom(owned, (fleet, options) => new ReferencePacker(fleet, options)),
  )
  const isLinked = ({ fleet, node, request }: Asking): boolean => {
    const wanted = ask.need.gpu?.link.min ?? 0
    if (request.count < 2 || wanted <= LINK_RANK.pcie) return true
    const room = must(rooms[fleet], 'a room a fleet')
    const idle = room.useAt(node).cards.flatMap(({ state }, card) => (state === 'free' ? [card] : []))
    const link = bestLink(room.nodeAt(node), idle, request.count)
    return link === undefined ? chooses(ask.need.unknownAccepted, 'interconnect') : LINK_RANK[link] >= wanted
  }
  const scored = rows.fitting(tally, ask.need).all.flatMap((option): readonly Scored[] => {
    const { request, fleet, node, band, position } = option
    if (request === undefined) return []
    const score = rooms[fleet]?.score(request, node) ?? Number.NEGATIVE_INFINITY
    const isRoom = score > Number.NEGATIVE_INFINITY && isLinked({ ...option, request })
    return isRoom ? [{ option: { ...option, request }, standing: ranking.standing(band, position), score }] : []
  })
  const leader = scored.toSorted((one, two) => compareStandings(one.standing, two.standing, snapshot))[0]
  if (leader === undefined) return undefined
  const stateOf = ({ option }: Scored): number => at(snapshot.groups.state, option.band.group)
  const peers = scored.filter((each) => {
    if (each.option.fleet !== leader.option.fleet || each.standing.usdPerHour !== leader.standing.usdPerHour)
      return false
    return stateOf(each) === stateOf(leader) || each.standing.score === leader.standing.score
  })
  const parts = peers.filter(({ option }) => option.request.part.kind !== 'whole')
  const nameOf = ({ option: { fleet, node, row } }: Scored): string =>
    `${rooms[fleet]?.nodeAt(node).id ?? ''}\n${listingAt(snapshot, row).id}`
  const best = (parts.length > 0 ? parts : peers).toSorted(
    (one, two) => two.score - one.score || (nameOf(one) < nameOf(two) ? -1 : 1),
  )[0]
  const { fleet, node, request } = must(best, 'the leader is its own peer').option
  return must(rooms[fleet], 'a room a fleet').take('plain', request, node)
}
