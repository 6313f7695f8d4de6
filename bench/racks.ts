import type { Fleet, FleetNode, CardPart, Request } from '../src/core/fleet/fleet.ts'
import { Dice } from '../src/core/base/dice.ts'
import { dualSocketPcie, nvswitch, pairedNvlink } from '../src/core/fleet/topology/presets.ts'

const FACTS = { target: '8.0', pcieGen: 4 }
const KINDS = [
  { model: 'h100-sxm', parts: 'none', layout: nvswitch({ cards: 8, gbps: 450, sockets: 2 }) },
  { model: 'a100-80-sxm', parts: 'mig', layout: nvswitch({ cards: 8, gbps: 300, sockets: 2 }) },
  { model: 'l40s', parts: 'share', layout: dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS }) },
  { model: 'a100-80-pcie', parts: 'none', layout: pairedNvlink({ cards: 8, gbps: 300, facts: FACTS }) },
] as const

/** Racks of eight-card machines with switches, NVLink pairs, two sockets, MIG and shares. */
export function racks(nodes: number): Fleet {
  return { nodes: Array.from({ length: nodes }, (_, index) => node(index)) }
}

function node(index: number): FleetNode {
  const { model, parts, layout } = KINDS[Math.floor(index / 8) % KINDS.length] ?? KINDS[0]
  return {
    id: `node-${String(index).padStart(6, '0')}`,
    model,
    cpuMilli: 128_000,
    memoryMib: 1_048_576,
    diskMib: 4_000_000,
    cards: Array.from({ length: 8 }, () => ({ health: 'ok' as const, parts })),
    layout,
    domains: {
      zone: `zone-${Math.floor(index / 2048)}`,
      fabric: `fabric-${Math.floor(index / 512)}`,
      rack: `rack-${Math.floor(index / 16)}`,
      nvlinkDomain: undefined,
    },
  }
}

/** The work such a fleet sees: one to eight cards, slices and shares, choosy or not. */
export function rackWork(
  count: number,
  seed: number,
): { readonly requests: readonly Request[]; readonly order: Int32Array } {
  const dice = new Dice(seed)
  const requests = Array.from({ length: 64 }, () => request(dice))
  return { requests, order: Int32Array.from({ length: count }, () => dice.roll(requests.length)) }
}

function request(dice: Dice): Request {
  const part = dice.pick<CardPart>([
    { kind: 'whole' },
    { kind: 'whole' },
    { kind: 'slice', vramGib: dice.pick([10, 20, 40]) },
    { kind: 'share', milli: 50 * (2 + dice.roll(16)) },
  ])
  const count = part.kind === 'whole' ? dice.pick([1, 1, 1, 2, 4, 8]) : 1
  const models = dice.oneIn(3) ? [dice.pick<(typeof KINDS)[number]>(KINDS).model] : undefined
  return {
    cpuMilli: count * 500 * (2 + dice.roll(30)),
    memoryMib: count * 1024 * (4 + dice.roll(120)),
    diskMib: 0,
    count,
    part,
    models: part.kind === 'slice' ? ['a100-80-sxm'] : part.kind === 'share' ? ['l40s'] : models,
  }
}
