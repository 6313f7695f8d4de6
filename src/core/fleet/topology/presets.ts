import type { Layout, Nic } from '../layout.ts'
import type { GpuModel } from '../../hardware/gpu.ts'
import type { Link } from '../../hardware/link.ts'
import { CARDS_MAX } from './card-mask.ts'
import { nvlinkGbps, pcieGbps, type RateFacts } from './rates.ts'
import { wire } from './wire.ts'

/**
 * How `count` cards of a model are wired, if the hardware table leaves no doubt: a switch joins all of them at full speed.
 * Anything else depends on the board, so it is undefined. `link` is what the owner states; undefined: nothing.
 */
export function layoutOf(
  model: Pick<GpuModel, 'link' | 'linkGbps' | 'switchFrom'>,
  count: number,
  link: Link | undefined,
): Layout | undefined {
  const isSwitched =
    link === undefined ? model.link === 'nvlink' && count >= (model.switchFrom ?? Infinity) : link === 'nvswitch'
  if (!isSwitched || model.linkGbps === undefined) return undefined
  if (count < 2 || count > CARDS_MAX) return undefined
  return nvswitch({ cards: count, gbps: model.linkGbps / 2, sockets: undefined })
}

/**
 * Every card reaches every other at the same speed. Sockets share the cards evenly; undefined: it is not known which is where.
 */
export function nvswitch(board: {
  readonly cards: number
  readonly gbps: number
  readonly sockets: 1 | 2 | undefined
}): Layout {
  const { cards, gbps, sockets } = board
  return wire({
    kind: 'nvswitch',
    cards,
    gbps: () => gbps,
    numa: (card) => (sockets === undefined ? undefined : Math.floor((card * sockets) / cards)),
    pcieSwitch: () => undefined,
    nics: [],
  })
}

/** Two sockets, each with PCIe switches of two or four cards; the path to the other socket is the slowest. */
export function dualSocketPcie(board: {
  readonly cards: 4 | 8
  readonly perSwitch: 2 | 4
  readonly facts: RateFacts | undefined
}): Layout {
  const { cards, facts } = board
  const perSocket = cards / 2
  const perSwitch = Math.min(board.perSwitch, perSocket)
  const switchOf = (card: number) => Math.floor(card / perSwitch)
  return wire({
    kind: 'pcie',
    cards,
    gbps: (one, two) => pcieGbps(switchOf(one) === switchOf(two) ? 'PIX' : socketPath({ one, two, perSocket }), facts),
    numa: (card) => Math.floor(card / perSocket),
    pcieSwitch: switchOf,
    nics: [],
  })
}

/** Neighbours are bridged in pairs; all else goes over PCIe, with two sockets if there is more than one pair. */
export function pairedNvlink(board: {
  readonly cards: 2 | 4 | 8
  /** GB/s in one direction over a bridge. */
  readonly gbps: number
  readonly facts: RateFacts | undefined
}): Layout {
  const { cards, gbps, facts } = board
  const perSocket = Math.max(2, cards / 2)
  return wire({
    kind: 'bridged',
    cards,
    gbps: (one, two) => (one >> 1 === two >> 1 ? gbps : pcieGbps(socketPath({ one, two, perSocket }), facts)),
    numa: (card) => Math.floor(card / perSocket),
    pcieSwitch: () => undefined,
    nics: [],
  })
}

/** Eight V100 as in a DGX-1: pairs on a PCIe switch with a NIC, six links each, some pairs joined by two. */
export function hybridCubeMesh(): Layout {
  const facts: RateFacts = { target: '7.0', pcieGen: 3 }
  return wire({
    kind: 'mesh',
    cards: 8,
    gbps: (one, two) => {
      const links = Number(CUBE_MESH[one]?.[two] ?? 0)
      return links > 0 ? links * nvlinkGbps(facts) : pcieGbps(socketPath({ one, two, perSocket: 4 }), facts)
    },
    numa: (card) => card >> 2,
    pcieSwitch: (card) => card >> 1,
    nics: [0, 1, 2, 3].map((at): Nic => ({ name: `mlx5_${at}`, numa: at >> 1, pcieSwitch: at })),
  })
}

/** NVLinks between the cards of a DGX-1, one row per card. */
const CUBE_MESH = ['01122000', '10210200', '12020010', '21200001', '20000112', '02001021', '00101202', '00012120']

/** The path between cards without a common switch. */
function socketPath(way: { readonly one: number; readonly two: number; readonly perSocket: number }): 'NODE' | 'SYS' {
  return Math.floor(way.one / way.perSocket) === Math.floor(way.two / way.perSocket) ? 'NODE' : 'SYS'
}
