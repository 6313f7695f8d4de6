import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { Fleet, Request } from '../../fleet/fleet.ts'
import { Dice } from '../../base/dice.ts'
import { nvswitch } from '../../fleet/topology/presets.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, node, share, slice, WHOLE } from './fleet.suite.ts'
import { stranding } from './stranding.ts'
import { cpuMs } from '../../base/cpu.suite.ts'

const SMALL = 300
const TIMES = 10
const ROUNDS = 5

// A ratio within one process, by processor time and the best of several rounds: what else the machine does, and how
// fast it is, cancels out. An engine that looks at every node would come to ten.
test('ten times the nodes cost less than three times as much for each decision', () => {
  const [small, large] = [racks(SMALL), racks(SMALL * TIMES)]
  const rounds = Array.from({ length: ROUNDS }, () => [cpuUsEach(small), cpuUsEach(large)] as const)
  const few = Math.min(...rounds.map(([each]) => each))
  const many = Math.min(...rounds.map(([, each]) => each))
  expect(many / few).toBeLessThan(3)
})

/** Machines of three kinds, with shares, slices and switches. */
function racks(nodes: number): Fleet {
  const layout = nvswitch({ cards: 8, gbps: 450, sockets: 2 })
  const kinds = [
    { cards: cards(8, 'none'), model: 'h100-sxm', layout },
    { cards: cards(8, 'mig'), model: 'a100-80-sxm' },
    { cards: cards(8, 'share'), model: 'l40s' },
  ]
  return {
    nodes: Array.from({ length: nodes }, (_, index) =>
      node(`node-${String(index).padStart(5, '0')}`, { cpuMilli: 128_000, ...kinds[index % kinds.length] }),
    ),
  }
}

const WORK: readonly Request[] = [
  asks(1, WHOLE, { cpuMilli: 8000 }),
  asks(4, WHOLE, { cpuMilli: 32_000 }),
  asks(8, WHOLE, { cpuMilli: 64_000 }),
  asks(1, share(300), { cpuMilli: 4000 }),
  asks(1, share(500), { cpuMilli: 6000 }),
  asks(1, slice(10), { cpuMilli: 2000 }),
  asks(1, slice(40), { cpuMilli: 8000 }),
  asks(0, WHOLE, { cpuMilli: 4000 }),
]

/** Processor time of one decision while a fleet is filled: as many for each node, so that both end up as full. */
function cpuUsEach(fleet: Fleet): number {
  const dice = new Dice(1)
  const packer = new FastPacker(fleet, { policy: stranding, history: WORK.map((request) => ({ request, count: 1 })) })
  const kinds = WORK.map((request) => packer.kinds.of(request))
  const decisions = fleet.nodes.length * 6
  const start = cpuMs()
  for (let turn = 0; turn < decisions; turn++) packer.placeKind(must(kinds[dice.roll(kinds.length)], 'a kind'))
  return (1000 * (cpuMs() - start)) / decisions
}
