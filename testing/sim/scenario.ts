import type { UserAction } from './users/action.ts'
import { Dice } from '../../src/core/base/dice.ts'
import type { Project } from '../../src/core/life/rows.ts'
import { cutOff, leftBehind, randomFaults, shutOut } from './fault-draw.ts'
import type { FaultEvent } from './faults.ts'
import { SHAPES, usualUsd, type CapacityItem } from '../../src/controller/offers.suite.ts'
import { livesOf } from './lives.ts'
import { drawChores } from './users/operator.ts'
import { drawWishes, POLICY_NAMES, type Setting } from './users/wish-draw.ts'

export interface SimCloud {
  readonly name: string
  readonly tokens: boolean
  readonly minds: 'ceilings' | 'nothing'
  readonly settleMs: number
  readonly lagMs: number
  readonly keepMs: number
  readonly startMs: readonly [number, number]
  readonly stopMs: readonly [number, number]
  readonly callsPerSecond: number
  /** How long orders wait in its queue; left out: it has none. */
  readonly queueMs?: readonly [number, number]
  /** It takes gangs as a whole; it sends hints. */
  readonly groups?: boolean
  readonly watch?: boolean
  readonly items: readonly CapacityItem[]
  /** Machines of one's own that it looks after; left out: none. */
  readonly owned?: readonly OwnedItem[]
}

/** Equal nodes of one's own, of which shapes take cards. */
interface OwnedItem {
  readonly name: string
  readonly nodes: number
  readonly gpu: { readonly model: string; readonly count: number }
  readonly rack: number
}

/** Everything that a run is made of. The same scenario always gives the same run. */
export interface Scenario {
  readonly seed: number
  readonly stormMs: number
  readonly planes: number
  /** How often control planes renew their lease and look for changes. */
  readonly pace: 'usual' | 'slow'
  readonly clouds: readonly SimCloud[]
  /** Rented clouds, behind their real adapters; left out: none. */
  readonly rented?: readonly string[]
  readonly projects: Readonly<Record<string, Project>>
  readonly actions: readonly UserAction[]
  readonly faults: readonly FaultEvent[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The scenario of a seed. */
export function drawScenario(seed: number): Scenario {
  const dice = new Dice(seed * 104_729 + 17)
  const isLong = dice.oneIn(150)
  const stormMs = isLong ? 25 * HOUR_MS : 30 * MINUTE_MS + dice.roll(8) * MINUTE_MS
  const planes = 1 + dice.roll(2)
  // Drawn apart, so that what users do and what goes wrong is as it would be without.
  const apart = new Dice(seed * 7919 + 5)
  const ways = new Dice(seed * 6151 + 11)
  const clouds = Array.from({ length: 2 + dice.roll(4) }, (_, index) => queueing(drawCloud(index, dice), apart))
    .map((cloud) => owning(cloud, new Dice(seed * 6151 + 3)))
    .map((cloud, index) => withWays(cloud, index, ways))
  const limited = dice.oneIn(3)
  const [large, slow] = [dice.oneIn(80) && !isLong, dice.oneIn(40)]
  const projects: Scenario['projects'] = limited
    ? {
        lab: {
          gpusMax: 2 + dice.roll(12),
          usdPerHourMax: 10 + dice.roll(60),
          workloadsMax: dice.oneIn(3) ? 1 + dice.roll(3) : undefined,
        },
      }
    : {}
  const drawn = drawActions(dice, { clouds, stormMs: Math.min(stormMs, 40 * MINUTE_MS), limited, large, slow })
  const actions = agreeing(drawn, new Dice(seed * 7919 + 3))
  const busyAt = actions.map(({ at }) => at)
  const chores = drawChores(apart, stormMs).map((each) => ({ kind: 'chore', ...each }) as const)
  const world = { stormMs, planes, clouds, isLong, busyAt }
  const pace = dice.oneIn(24) && !isLong ? 'usual' : 'slow'
  return {
    seed,
    stormMs,
    planes,
    pace,
    clouds,
    projects,
    actions: [...actions, ...restarts(actions, stormMs, new Dice(seed * 6151 + 41)), ...chores],
    faults: [
      ...randomFaults(dice, world),
      ...leftBehind(ways, world),
      ...shutOut(new Dice(seed * 6151 + 29), world),
      ...cutOff(new Dice(seed * 6151 + 53), world),
    ].toSorted((one, two) => one.at - two.at),
  }
}

/** The first two clouds never run out and are expensive: in the end there is room for all workloads, spread ones too. */
function drawCloud(index: number, dice: Dice): SimCloud {
  const name = `cloud-${index}`
  const settleMs = dice.oneIn(2) ? 60_000 : 180_000
  const spot = dice.oneIn(2)
  const regions = dice.oneIn(2) ? ['east', 'west'] : ['east']
  const items = regions.flatMap((region) =>
    SHAPES.flatMap((shape): readonly CapacityItem[] => {
      if (index < 2) return [{ provider: name, region, shape, factor: 2 + index / 4, units: undefined, spot }]
      if (dice.oneIn(3)) return []
      const factor = 0.5 + dice.next()
      return [{ provider: name, region, shape, factor, units: 1 + dice.roll(8), spot }]
    }),
  )
  const slow = dice.oneIn(4)
  return {
    name,
    tokens: dice.oneIn(2),
    minds: dice.oneIn(3) ? 'nothing' : 'ceilings',
    settleMs,
    lagMs: dice.oneIn(3) ? 0 : Math.floor(settleMs * 0.3 * dice.next()),
    keepMs: dice.oneIn(2) ? HOUR_MS : 10 * MINUTE_MS,
    startMs: slow ? [60_000, 240_000] : [5000, 40_000],
    stopMs: dice.oneIn(3) ? [5000, 40_000] : [0, 3000],
    callsPerSecond: dice.oneIn(2) ? 2 : 5,
    items,
  }
}

/** A few clouds are batch schedulers: an order waits in line before it starts. */
function queueing(cloud: SimCloud, dice: Dice): SimCloud {
  return dice.oneIn(10) ? { ...cloud, queueMs: [5000, (1 + dice.roll(10)) * MINUTE_MS] } : cloud
}

/** In a third of the worlds, some clouds also look after machines of one's own, few enough to fill up. */
function owning(cloud: SimCloud, dice: Dice): SimCloud {
  if (!dice.oneIn(3)) return cloud
  const own = new Dice(dice.roll(1_000_000) + cloud.name.length + Number(cloud.name.at(-1)))
  if (own.oneIn(2)) return cloud
  const small = { name: 'attic', nodes: 1 + own.roll(3), gpu: { model: 'l4', count: 4 }, rack: 1 }
  const large = { name: 'hall', nodes: 1 + own.roll(6), gpu: { model: 'h100-sxm', count: 8 }, rack: 2 }
  return { ...cloud, owned: own.pick([[small, large], [small], [large]]) }
}

/** What providers can do beyond the usual: whole gangs, hints, long queues. */
function withWays(cloud: SimCloud, index: number, dice: Dice): SimCloud {
  const [groups, watch] = [dice.oneIn(3), dice.oneIn(3)]
  const isSlow = index > 1 && dice.oneIn(4)
  return {
    ...cloud,
    ...(groups && { groups }),
    ...(watch && { watch }),
    ...(isSlow && { queueMs: [8 * MINUTE_MS, 22 * MINUTE_MS] as const }),
  }
}

interface Stage extends Setting {
  readonly clouds: readonly SimCloud[]
  readonly stormMs: number
}

function drawActions(dice: Dice, { clouds, stormMs, ...setting }: Stage): readonly UserAction[] {
  const wishes = drawWishes(dice, setting)
  const actions = wishes.flatMap((wish) => livesOf(wish, stormMs, dice))
  if (clouds.length > 2 && dice.oneIn(2)) actions.push(...drains(clouds, stormMs, dice))
  if (dice.oneIn(4)) actions.push(...configs(clouds, stormMs, dice))
  return actions.toSorted((one, two) => one.at - two.at)
}

/** A third of the users confirm a price: some are content with the dear clouds, some only with cheap ones. */
function agreeing(actions: readonly UserAction[], dice: Dice): readonly UserAction[] {
  const prices = new Map<string, number | undefined>()
  return actions.map((action) => {
    if (action.kind !== 'apply') return action
    const { name, shape } = action.wish
    if (!prices.has(name)) prices.set(name, dice.oneIn(3) ? usualUsd(shape) * dice.pick([1.2, 2, 2.25, 3]) : undefined)
    const agreedUsd = prices.get(name)
    return agreedUsd === undefined ? action : { ...action, wish: { ...action.wish, agreedUsd } }
  })
}

/** A few users want fresh replicas of what they run, once or twice; of hundreds it would take longer than anybody here waits. */
function restarts(actions: readonly UserAction[], stormMs: number, dice: Dice): readonly UserAction[] {
  return actions.flatMap((action): readonly UserAction[] => {
    if (action.kind !== 'apply' || action.wish.replicas > 20 || !dice.oneIn(8)) return []
    const { name } = action.wish
    const at = Math.floor(action.at + dice.next() * (stormMs - action.at))
    const again = { kind: 'restart', at: at + dice.roll(5 * MINUTE_MS), name } as const
    return dice.oneIn(3) ? [{ kind: 'restart', at, name }, again] : [{ kind: 'restart', at, name }]
  })
}

/** A configuration that lacks some providers and policies for a while. */
function configs(clouds: readonly SimCloud[], stormMs: number, dice: Dice): readonly UserAction[] {
  const names = [...clouds.map(({ name }) => name), ...POLICY_NAMES]
  const without = names.filter(() => dice.oneIn(3))
  const at = Math.floor((0.1 + dice.next() * 0.6) * stormMs)
  const backMs = Math.min(stormMs, at + (1 + dice.roll(12)) * MINUTE_MS)
  return [
    { kind: 'config', at, without },
    { kind: 'config', at: backMs, without: [] },
  ]
}

/** Clouds beyond the first two are emptied or closed for a while, or for good. */
function drains(clouds: readonly SimCloud[], stormMs: number, dice: Dice): readonly UserAction[] {
  return clouds.slice(2).flatMap(({ name }) => {
    if (dice.oneIn(3)) return []
    const at = Math.floor((0.2 + dice.next() * 0.7) * stormMs)
    const state = dice.oneIn(4) ? 'cordoned' : 'draining'
    const actions: UserAction[] = [{ kind: 'provider', at, provider: name, state }]
    if (dice.oneIn(3)) {
      actions.push({ kind: 'provider', at: at + dice.roll(10) * MINUTE_MS, provider: name, state: 'open' })
    }
    return actions
  })
}
