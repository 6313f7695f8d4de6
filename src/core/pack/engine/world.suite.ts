import { dualSocketPcie, nvswitch, pairedNvlink } from '../../fleet/topology/presets.ts'
import type { Fleet, FleetNode, CardPart, Request, Spot } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { Dice } from '../../base/dice.ts'
import { FastPacker } from './fast.ts'
import type { Packer, PackerOptions } from './packer.ts'
import { ReferencePacker } from './reference.ts'

const FACTS = { target: '8.0', pcieGen: 4 }
const LAYOUTS: Readonly<Record<number, readonly [Layout | undefined, ...(Layout | undefined)[]]>> = {
  4: [
    undefined,
    nvswitch({ cards: 4, gbps: 450, sockets: 2 }),
    dualSocketPcie({ cards: 4, perSwitch: 2, facts: FACTS }),
  ],
  8: [
    undefined,
    nvswitch({ cards: 8, gbps: 450, sockets: 2 }),
    dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS }),
    pairedNvlink({ cards: 8, gbps: 300, facts: FACTS }),
  ],
}

const NOWHERE = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

/**
 * A few kinds of machines, several of each: cut, shared and whole cards, known and unknown wiring, and sometimes a failing
 * card.
 */
export function randomFleet(dice: Dice): Fleet {
  const shapes = Array.from({ length: 1 + dice.roll(4) }, () => randomShape(dice))
  const nodes = shapes.flatMap((shape) => Array.from({ length: 1 + dice.roll(5) }, () => shape))
  return {
    nodes: nodes.map((shape, index): FleetNode => ({
      ...shape,
      id: `node-${String((index * 7919) % 1000).padStart(4, '0')}-${index}`,
      cards: shape.cards.map((card) => (dice.oneIn(40) ? { ...card, health: 'failing' } : card)),
    })),
  }
}

function randomShape(dice: Dice): Omit<FleetNode, 'id'> {
  const count = dice.pick([1, 2, 4, 8])
  const parts = dice.pick(['none', 'share', 'mig'] as const)
  return {
    model: dice.pick(['h100-sxm', 'a100-80-sxm', 'l40s']),
    cpuMilli: count * 1000 * (4 + dice.roll(12)),
    memoryMib: count * 1024 * (16 + dice.roll(64)),
    diskMib: dice.pick([undefined, 100_000]),
    cards: Array.from({ length: count }, () => ({ health: 'ok' as const, parts })),
    layout: dice.pick(LAYOUTS[count] ?? [undefined]),
    domains: NOWHERE,
  }
}

/** At most a dozen kinds of work, so that kinds repeat. */
export function randomKinds(dice: Dice): readonly [Request, ...Request[]] {
  const kinds = Array.from({ length: 2 + dice.roll(10) }, () => randomRequest(dice))
  return [randomRequest(dice), ...kinds]
}

function randomRequest(dice: Dice): Request {
  const part = dice.pick<CardPart>([
    { kind: 'whole' },
    { kind: 'share', milli: 10 * (1 + dice.roll(100)) },
    { kind: 'slice', vramGib: dice.pick([5, 10, 20, 40, 80]) },
  ])
  return {
    cpuMilli: 500 * dice.roll(30),
    memoryMib: 512 * dice.roll(60),
    diskMib: dice.oneIn(4) ? 1000 * dice.roll(20) : 0,
    count: part.kind === 'whole' ? dice.pick([0, 1, 1, 2, 4, 8]) : dice.pick([1, 1, 1, 2]),
    part,
    models: dice.oneIn(3) ? [dice.pick(['h100-sxm', 'a100-80-sxm', 'l40s'])] : undefined,
  }
}

/** The outcome of a stream of arrivals and departures: a spot or nothing, arrival by arrival. */
function story(packer: Packer, kinds: readonly [Request, ...Request[]], dice: Dice): readonly (Spot | undefined)[] {
  const running: { readonly request: Request; readonly spot: Spot }[] = []
  const spots: (Spot | undefined)[] = []
  const steps = 20 + dice.roll(60)
  for (let step = 0; step < steps; step++) {
    if (running.length > 0 && dice.oneIn(4)) {
      const [gone] = running.splice(dice.roll(running.length), 1)
      if (gone !== undefined) packer.release(gone.request, gone.spot)
      continue
    }
    const request = dice.pick(kinds)
    const spot = packer.place(request)
    spots.push(spot)
    if (spot !== undefined) running.push({ request, spot })
  }
  return spots
}

/** The same story with both engines. */
export function bothStories(seed: number, options: Pick<PackerOptions, 'policy'>): readonly [unknown, unknown] {
  const fleet = randomFleet(new Dice(seed))
  const kinds = randomKinds(new Dice(seed + 1))
  const isCold = seed % 2 === 0
  const history = isCold ? [] : kinds.map((request, index) => ({ request, count: 1 + index }))
  const tell = (packer: Packer): unknown => story(packer, kinds, new Dice(seed + 2))
  return [
    tell(new FastPacker(fleet, { ...options, history })),
    tell(new ReferencePacker(fleet, { ...options, history })),
  ]
}
