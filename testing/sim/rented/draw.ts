import { Dice } from '../../../src/core/base/dice.ts'
import { CLOUDS } from '../../clouds/cases.ts'
import type { FakeCall } from '../../clouds/fake-api.ts'
import type { FaultEvent } from '../faults.ts'
import type { Scenario } from '../scenario.ts'
import type { UserAction } from '../users/action.ts'
import type { Wish } from '../users/wishes.ts'
import type { RentedFate, RentedTrouble } from './trouble.ts'

const MINUTE_MS = 60_000

/** The scenario of a seed in which everything is rented: all clouds at once, behind their real adapters. */
export function drawRented(seed: number, rented: readonly string[] = Object.keys(CLOUDS)): Scenario {
  const dice = new Dice(seed * 104_659 + 29)
  const stormMs = (12 + dice.roll(18)) * MINUTE_MS
  const planes = 1 + dice.roll(2)
  const wishes = Array.from({ length: 2 + dice.roll(5) }, (_, index) => drawWish(index, dice))
  const actions = wishes.flatMap((wish) => lifeOf(wish, stormMs, dice)).toSorted((one, two) => one.at - two.at)
  const stage: Stage = { dice, stormMs, planes, rented, busyAt: actions.map(({ at }) => at) }
  const faults = drawFaults(stage).toSorted((one, two) => one.at - two.at)
  return { seed, stormMs, planes, pace: 'slow', clouds: [], rented, projects: {}, actions, faults }
}

function drawWish(index: number, dice: Dice): Wish {
  const crashes = dice.oneIn(6)
  return {
    name: `work-${index}`,
    project: 'default',
    kind: 'service',
    shape: dice.pick(['small', 'small', 'small', 'large', 'whole']),
    replicas: 1 + dice.roll(3),
    nodes: 1,
    spread: dice.oneIn(5) ? 'provider' : 'none',
    drains: false,
    seconds: crashes ? 20 + dice.roll(200) : undefined,
    exits: crashes ? '1' : '0',
    restarts: crashes ? dice.roll(3) : undefined,
    completions: 1,
    maxDurationSeconds: undefined,
    checkpointSeconds: undefined,
    policy: undefined,
    secrets: dice.oneIn(4) ? ['MODEL_TOKEN'] : [],
    isPlain: !dice.oneIn(3),
    edition: 1,
  }
}

/** What its owner does to a workload over time. */
function lifeOf(wish: Wish, stormMs: number, dice: Dice): readonly UserAction[] {
  const { name } = wish
  let at = Math.floor(dice.next() * dice.next() * stormMs * 0.5)
  let edition = wish.edition
  const actions: UserAction[] = [{ kind: 'apply', at, wish }]
  for (let turn = 0; turn < 3 && dice.oneIn(2); turn++) {
    at += 5000 + Math.floor(dice.next() * stormMs * 0.3)
    if (at > stormMs * 0.95) break
    const kind = dice.pick(['scale', 'change', 'stop', 'remove', 'again'] as const)
    if (kind === 'scale') actions.push({ kind, at, name, replicas: dice.roll(4) })
    else if (kind === 'change') actions.push({ kind: 'apply', at, wish: { ...wish, edition: ++edition } })
    else if (kind === 'again') actions.push({ kind: 'apply', at, wish: { ...wish, edition } })
    else actions.push({ kind, at, name })
  }
  return actions
}

interface Stage {
  readonly dice: Dice
  readonly stormMs: number
  readonly planes: number
  readonly rented: readonly string[]
  readonly busyAt: readonly number[]
}

const CREATES: readonly [RentedFate, ...RentedFate[]] = ['lost', 'broken-after', 'late', 'partial', 'garbled', 'hung']
const ALL: readonly [RentedFate, ...RentedFate[]] = [
  'throttled',
  'throttled-silently',
  'broken-before',
  'broken-after',
  'lost',
  'garbled',
  'hung',
  'unreachable',
  'expired',
]
const CALLS: readonly [FakeCall, ...FakeCall[]] = ['offers', 'create', 'describe', 'list', 'stop']

/** A random part of everything that may go wrong. */
function drawFaults(stage: Stage): readonly FaultEvent[] {
  const { dice, rented } = stage
  if (dice.oneIn(40)) return []
  const share = 0.1 + dice.next() * 0.5
  const troubles = rented.flatMap((provider) =>
    SOURCES.filter(() => dice.next() < share).map((draw): FaultEvent => {
      const trouble = draw(dice)
      const forMs =
        trouble.kind === 'replies' && trouble.rate > 0.3 ? 5000 + dice.roll(180_000) : dice.roll(15 * MINUTE_MS)
      const at = moment(stage)
      return { kind: 'rented', at, forMs: Math.max(1000, Math.min(forMs, stage.stormMs - at)), provider, trouble }
    }),
  )
  return [...troubles, ...planeFaults(stage)]
}

const SOURCES: readonly ((dice: Dice) => RentedTrouble)[] = [
  (dice) => ({ kind: 'replies', call: 'create', fate: dice.pick(CREATES), rate: 0.5 + dice.next() / 2 }),
  (dice) => ({ kind: 'replies', call: 'create', fate: dice.pick(CREATES), rate: dice.next() * 0.3 }),
  (dice) => ({ kind: 'replies', call: dice.pick(CALLS), fate: dice.pick(ALL), rate: 0.5 + dice.next() / 2 }),
  (dice) => ({ kind: 'replies', fate: dice.pick(ALL), rate: dice.next() * 0.3 }),
  (dice) => ({ kind: 'lag', share: dice.next() * 0.4 }),
  () => ({ kind: 'empty' }),
  (dice) => ({ kind: 'quota', quota: dice.roll(3) }),
  () => ({ kind: 'poor' }),
  (dice) => ({ kind: 'price', factor: dice.pick([0.5, 1.5, 3]) }),
  () => ({ kind: 'revoked' }),
  () => ({ kind: 'breaks' }),
  (dice) => ({ kind: 'person', pick: dice.next() }),
]

/** Half of what happens, happens while something is going on. */
function moment({ dice, stormMs, busyAt }: Stage): number {
  const busy = busyAt[dice.roll(Math.max(1, busyAt.length))] ?? 0
  const at = dice.oneIn(2) ? busy + dice.next() ** 2 * MINUTE_MS : dice.next() * stormMs * 0.95
  return Math.min(Math.floor(at), stormMs - 2000)
}

function planeFaults(stage: Stage): readonly FaultEvent[] {
  const { dice, planes, stormMs } = stage
  const span = (mostMs: number): { readonly at: number; readonly forMs: number } => {
    const at = moment(stage)
    return { at, forMs: Math.max(1000, Math.min(dice.roll(mostMs), stormMs - at)) }
  }
  const some = (times: number): readonly number[] => Array.from({ length: dice.roll(times + 1) }, (_, index) => index)
  return [
    ...some(3).map(() => ({ kind: 'kill', ...span(2 * MINUTE_MS), plane: dice.roll(planes) }) as const),
    ...some(1).map(() => ({ kind: 'pause', ...span(MINUTE_MS), plane: dice.roll(planes) }) as const),
    ...some(1).map(
      () =>
        ({
          kind: 'database',
          ...span(MINUTE_MS),
          fate: dice.pick(['down', 'lost'] as const),
          rate: dice.next(),
        }) as const,
    ),
  ]
}
