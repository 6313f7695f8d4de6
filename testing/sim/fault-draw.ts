import type { Dice } from '../../src/core/base/dice.ts'
import type { CloudCall, Fate } from '../../src/providers/sim/whims.ts'
import type { FaultEvent } from './faults.ts'

/** What there is to break. */
export interface Breakable {
  readonly stormMs: number
  readonly planes: number
  readonly clouds: readonly { readonly name: string }[]
  /** One outage lasts a day. */
  readonly isLong: boolean
  /** When users do something: what goes wrong then meets work that is under way. */
  readonly busyAt: readonly number[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Source = (dice: Dice, world: Breakable) => readonly FaultEvent[]

/** A random part of all kinds of faults: a swarm finds what all of them at once would hide. */
export function randomFaults(dice: Dice, world: Breakable): readonly FaultEvent[] {
  if (dice.oneIn(40)) return []
  const share = 0.1 + dice.next() * 0.6
  const chosen = SOURCES.filter(() => dice.next() < share).flatMap((source) => source(dice, world))
  const long = world.isLong ? dayOut(dice, world) : []
  return [...chosen, ...long].toSorted((one, two) => one.at - two.at)
}

/** Orders are refused, and something of them is left behind. */
export function leftBehind(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return dice.oneIn(3) ? calls('leaving', 'launch')(dice, world) : []
}

/**
 * Shortly before the calm, machines are lost and every cloud refuses new ones. That ends without a word: offers look as they did
 * all the time, so whatever found no room has to look again by itself.
 */
export function shutOut(dice: Dice, { stormMs, clouds }: Breakable): readonly FaultEvent[] {
  if (!dice.oneIn(6)) return []
  const at = stormMs - (60 + dice.roll(120)) * 1000
  return clouds.flatMap(({ name: provider }): readonly FaultEvent[] => [
    { kind: 'quota', at, forMs: stormMs - at, provider, quota: 0 },
    ...times(dice, 3).map(() => ({ kind: 'machine', at: at + 1000, provider, pick: dice.next() }) as const),
  ])
}

/**
 * One cloud answers nothing for most of the storm while what it runs is well. Elsewhere, machines are lost meanwhile: perhaps
 * those of successors.
 */
export function cutOff(dice: Dice, { stormMs, clouds }: Breakable): readonly FaultEvent[] {
  if (!dice.oneIn(10)) return []
  const at = Math.floor((0.2 + dice.next() * 0.2) * stormMs)
  const cut = dice.roll(clouds.length)
  const provider = clouds[cut]?.name ?? ''
  const others = { clouds: clouds.filter((_, index) => index !== cut) }
  const fate = dice.pick<Fate>(['unreachable', 'silent'])
  const losses = times(dice, 6).map(() => ({
    kind: 'machine' as const,
    at: Math.floor(at + (3 + dice.next() * 8) * MINUTE_MS),
    provider: cloudOf(dice, others),
    pick: dice.next(),
  }))
  return [{ kind: 'calls', at, forMs: Math.min(stormMs - at, 25 * MINUTE_MS), provider, fate, rate: 1 }, ...losses]
}

/** Half of what happens, happens while something is going on. */
function moment(dice: Dice, { stormMs, busyAt }: Breakable): number {
  const busy = busyAt[dice.roll(Math.max(1, busyAt.length))]
  if (busy !== undefined && dice.oneIn(2)) return Math.min(Math.floor(busy + dice.next() ** 2 * 60_000), stormMs - 2000)
  return Math.floor(dice.next() * Math.min(stormMs, dice.oneIn(4) ? stormMs : 40 * MINUTE_MS) * 0.95)
}

function cloudOf(dice: Dice, { clouds }: Pick<Breakable, 'clouds'>): string {
  return clouds[dice.roll(clouds.length)]?.name ?? ''
}

function times(dice: Dice, most: number): readonly number[] {
  return Array.from({ length: 1 + dice.roll(most) }, (_, index) => index)
}

/** Ends within the storm, so that the calm is calm. */
function within(fault: { at: number; forMs: number }, { stormMs }: Breakable): { at: number; forMs: number } {
  return { at: fault.at, forMs: Math.max(1000, Math.min(fault.forMs, stormMs - fault.at)) }
}

/** Every call of a kind goes wrong for seconds or minutes, or some of them for long. */
function calls(fate: Fate, ask?: CloudCall): Source {
  return (dice, world) =>
    times(dice, 3).map(() => {
      const isBurst = dice.oneIn(2)
      const forMs = isBurst ? 1000 * (5 + dice.roll(180)) : MINUTE_MS * (5 + dice.roll(30))
      const rate = isBurst ? 0.5 + dice.next() / 2 : dice.next() * 0.2
      const span = within({ at: moment(dice, world), forMs }, world)
      return { kind: 'calls', ...span, provider: cloudOf(dice, world), fate, ask, rate }
    })
}

function outage(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const fate = dice.pick<Fate>(['unreachable', 'unreachable', 'silent', 'broken'])
  const isAll = dice.oneIn(4)
  const span = within({ at: moment(dice, world), forMs: MINUTE_MS * (1 + dice.roll(20)) }, world)
  const hit = isAll ? world.clouds.map(({ name }) => name) : [cloudOf(dice, world)]
  return hit.map((provider) => ({ kind: 'calls', ...span, provider, fate, rate: 1 }))
}

function dayOut(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const at = Math.floor(dice.next() * 30 * MINUTE_MS)
  const fate = dice.pick<Fate>(['unreachable', 'silent', 'revoked'])
  return [{ kind: 'calls', at, forMs: DAY_MS, provider: cloudOf(dice, world), fate, rate: 1 }]
}

/** A list that claims to be complete and is not: rare, and over within seconds. */
function hollow(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 3).map(() => {
    const span = within({ at: moment(dice, world), forMs: 1000 * (1 + dice.roll(18)) }, world)
    return { kind: 'calls', ...span, provider: cloudOf(dice, world), fate: 'hollow', ask: 'list', rate: 1 }
  })
}

/** Creates arrive late, and a caller that repeats them meanwhile finds no offer left. */
function lateAndFull(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const provider = cloudOf(dice, world)
  const at = moment(dice, world)
  const late = within({ at, forMs: 40_000 }, world)
  return [
    { kind: 'calls', ...late, provider, fate: 'late', ask: 'launch', rate: 1 },
    ...[1, 2, 3, 4].map((turn) => {
      const span = within({ at: at + turn * 6000 + dice.roll(4000), forMs: 3000 + dice.roll(3000) }, world)
      return { kind: 'quota', ...span, provider, quota: 0 } as const
    }),
  ]
}

/** Answers to creates get lost and no list comes through until the settle window is over; the first one is hollow. */
function blindThenHollow(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const provider = cloudOf(dice, world)
  const at = moment(dice, world)
  const blindMs = dice.pick([70_000, 190_000]) + dice.roll(30_000)
  const lost = within({ at, forMs: 30_000 }, world)
  const blind = within({ at, forMs: blindMs }, world)
  const gaps = within({ at: at + blindMs, forMs: 18_000 }, world)
  return [
    { kind: 'calls', ...lost, provider, fate: 'lost', ask: 'launch', rate: 1 },
    { kind: 'calls', ...blind, provider, fate: 'failing', ask: 'list', rate: 1 },
    { kind: 'calls', ...gaps, provider, fate: 'hollow', ask: 'list', rate: 1 },
  ]
}

/** Answers to creates get lost while lists come without their last page. */
function lostAndPartial(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const provider = cloudOf(dice, world)
  const at = moment(dice, world)
  const lost = within({ at, forMs: 30_000 }, world)
  const partial = within({ at, forMs: 60_000 * (4 + dice.roll(8)) }, world)
  return [
    { kind: 'calls', ...lost, provider, fate: 'lost', ask: 'launch', rate: 1 },
    { kind: 'calls', ...partial, provider, fate: 'partial', ask: 'list', rate: 1 },
  ]
}

/** A leader falls asleep while its calls wait in line, and wakes when another one leads. */
function sleepInLine(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const at = moment(dice, world)
  const span = within({ at: at + dice.roll(8000), forMs: 20_000 + dice.roll(60_000) }, world)
  const wait = within({ at, forMs: 15_000 }, world)
  return [
    ...world.clouds.map(
      ({ name }) => ({ kind: 'calls', ...wait, provider: name, fate: 'throttled', rate: 0.7 }) as const,
    ),
    { kind: 'pause', ...span, plane: dice.roll(world.planes) },
  ]
}

function slow(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const span = within({ at: moment(dice, world), forMs: MINUTE_MS * (1 + dice.roll(10)) }, world)
  return [{ kind: 'slow', ...span, provider: cloudOf(dice, world), ms: dice.pick([5000, 20_000, 30_000, 45_000]) }]
}

function flapping(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 12).map(() => {
    const span = within({ at: moment(dice, world), forMs: 1000 * (10 + dice.roll(300)) }, world)
    return { kind: 'sold-out', ...span, provider: cloudOf(dice, world), pick: dice.next() }
  })
}

function prices(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 6).map(() => {
    const span = within({ at: moment(dice, world), forMs: MINUTE_MS * (1 + dice.roll(10)) }, world)
    const factor = dice.pick([0.3, 0.8, 1.05, 1.5, 4])
    return { kind: 'price', ...span, provider: cloudOf(dice, world), pick: dice.next(), factor }
  })
}

function quotas(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const span = within({ at: moment(dice, world), forMs: MINUTE_MS * (2 + dice.roll(15)) }, world)
  return [{ kind: 'quota', ...span, provider: cloudOf(dice, world), quota: dice.roll(4) }]
}

function single(kind: 'machine' | 'person' | 'stranger' | 'leftover', most: number): Source {
  return (dice, world) =>
    times(dice, most).map(() => ({ kind, at: moment(dice, world), provider: cloudOf(dice, world), pick: dice.next() }))
}

function preemptions(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 6).map(() => {
    const noticeMs = dice.pick([120_000, 30_000, 0])
    return { kind: 'preemption', at: moment(dice, world), provider: cloudOf(dice, world), pick: dice.next(), noticeMs }
  })
}

function planeFaults(kind: 'kill' | 'pause', most: number): Source {
  return (dice, world) =>
    times(dice, most).map(() => {
      const forMs = dice.pick([500, 5000, 20_000, 60_000, 60_000 * (1 + dice.roll(6))])
      return { kind, ...within({ at: moment(dice, world), forMs }, world), plane: dice.roll(world.planes) }
    })
}

/** Clocks are set a little, or by hours and days; and then the control plane is started again, or not. */
function clocks(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 3).flatMap((): readonly FaultEvent[] => {
    const ms = dice.pick([
      -5000,
      -500,
      500,
      5000,
      20_000,
      -HOUR_MS,
      HOUR_MS,
      -DAY_MS,
      DAY_MS,
      -400 * DAY_MS,
      40 * DAY_MS,
    ])
    const at = moment(dice, world)
    const plane = dice.roll(world.planes)
    const clock: FaultEvent = { kind: 'clock', at, plane, ms }
    if (dice.oneIn(2)) return [clock]
    const span = within({ at: at + dice.roll(20_000), forMs: dice.pick([500, 5000, 30_000]) }, world)
    return [clock, { kind: 'kill', ...span, plane }]
  })
}

/**
 * Renewals of a lease are answered late while there is much to end and nothing can be: whoever leads may not go on for as
 * long as the answer seems to say.
 */
function slowRenewals(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 3).flatMap((): readonly FaultEvent[] => {
    const at = moment(dice, world)
    const slow = within({ at, forMs: 60_000 + dice.roll(60_000) }, world)
    const only = dice.oneIn(4) ? {} : { plane: dice.roll(world.planes) }
    const rate = dice.pick([1, 1, 0.6])
    return [
      { kind: 'database', ...slow, fate: 'sluggish', rate, ms: dice.pick([2500, 12_000, 14_000]), ...only },
      ...world.clouds.flatMap(({ name: provider }): readonly FaultEvent[] => [
        { kind: 'leftover', at, provider, pick: dice.next() },
        { kind: 'calls', ...slow, provider, fate: 'failing', ask: 'stop', rate: 1 },
      ]),
    ]
  })
}

/** The answer to a create is lost or comes late, and the next leader's clock says that this was long ago. */
function lostThenTakenOver(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const at = moment(dice, world)
  const fate = dice.pick<Fate>(['late', 'lost', 'silent'])
  const blind = within({ at, forMs: 20_000 }, world)
  const planes = Array.from({ length: world.planes }, (_, plane) => plane)
  const dead = within({ at: at + 1000 + dice.roll(12_000), forMs: 2000 }, world)
  return [
    ...world.clouds.map(
      ({ name }) => ({ kind: 'calls', ...blind, provider: name, fate, ask: 'launch', rate: 1 }) as const,
    ),
    ...planes.map((plane) => ({ kind: 'clock', at, plane, ms: dice.pick([0, HOUR_MS, DAY_MS]) }) as const),
    ...planes.map((plane) => ({ kind: 'kill', ...dead, plane }) as const),
  ]
}

/** Machines get dearer just before creates get lost and lists make no sense: what is adopted then has no price. */
function dearAndGarbled(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const at = Math.max(0, (world.busyAt[dice.roll(Math.max(1, world.busyAt.length))] ?? 0) - 50)
  const dear = within({ at, forMs: 40_000 }, world)
  const garbled = within({ at, forMs: 150_000 }, world)
  return world.clouds.flatMap(({ name: provider }): readonly FaultEvent[] => [
    ...[0.1, 0.3, 0.5, 0.7, 0.9].map((pick) => ({ kind: 'price', ...dear, provider, pick, factor: 4 }) as const),
    { kind: 'calls', ...dear, provider, fate: 'lost', ask: 'launch', rate: 1 },
    { kind: 'calls', ...garbled, provider, fate: 'garbled', ask: 'list', rate: 1 },
  ])
}

/** Launches that are written down and not begun. */
function noted(dice: Dice, world: Breakable): readonly FaultEvent[] {
  const span = within({ at: moment(dice, world), forMs: 1000 * (10 + dice.roll(120)) }, world)
  return [{ kind: 'calls', ...span, provider: cloudOf(dice, world), fate: 'noted', ask: 'launch', rate: 1 }]
}

function lasting(kind: 'sick' | 'unreadable', most: number): Source {
  return (dice, world) =>
    times(dice, most).map(() => {
      const span = within({ at: moment(dice, world), forMs: MINUTE_MS * (1 + dice.roll(15)) }, world)
      return { kind, ...span, provider: cloudOf(dice, world), pick: dice.next() }
    })
}

function database(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return times(dice, 3).map(() => {
    const fate = dice.pick<'down' | 'lost' | 'slow'>(['down', 'lost', 'lost', 'slow'])
    const span = within({ at: moment(dice, world), forMs: 1000 * (2 + dice.roll(240)) }, world)
    return { kind: 'database', ...span, fate, rate: dice.pick([1, 0.5, 0.1]) }
  })
}

function poison(dice: Dice, world: Breakable): readonly FaultEvent[] {
  return [{ kind: 'poison', at: moment(dice, world), pick: dice.next() }]
}

const SOURCES: readonly Source[] = [
  calls('lost', 'launch'),
  calls('broken', 'launch'),
  calls('late', 'launch'),
  calls('lost'),
  calls('broken'),
  calls('throttled'),
  calls('garbled'),
  calls('silent'),
  calls('partial', 'list'),
  calls('partial', 'offers'),
  calls('stale', 'offers'),
  calls('failing', 'stop'),
  calls('lost', 'stop'),
  calls('revoked'),
  outage,
  hollow,
  lateAndFull,
  blindThenHollow,
  lostAndPartial,
  sleepInLine,
  slow,
  flapping,
  prices,
  quotas,
  single('machine', 6),
  single('person', 3),
  single('stranger', 2),
  single('leftover', 2),
  preemptions,
  planeFaults('kill', 6),
  planeFaults('kill', 2),
  planeFaults('pause', 3),
  clocks,
  slowRenewals,
  lostThenTakenOver,
  dearAndGarbled,
  noted,
  lasting('sick', 3),
  lasting('unreadable', 3),
  database,
  poison,
]
