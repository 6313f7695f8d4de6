import { Controller } from '../../src/controller/controller.ts'
import { TUNING, type ControllerTuning } from '../../src/controller/tuning.ts'
import type { CallHook } from './gates.ts'
import type { Violation } from './invariants.ts'
import { START_MS } from '../../src/controller/loop.suite.ts'
import type { MakeController } from './plane.ts'
import type { Scenario } from './scenario.ts'
import type { Wish } from './users/wishes.ts'
import { World } from './world.ts'

/** What came of one run. */
export interface Outcome {
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly events: number
  readonly simulatedMs: number
  /** The same for equal runs. */
  readonly hash: string
  readonly trace: readonly string[]
  /** The final state of every workload, in a word or two. */
  readonly ends: Readonly<Record<string, string>>
  /** The kinds of events that were told. */
  readonly told: readonly string[]
}

export interface SimulateOptions {
  readonly make?: MakeController
  readonly hook?: CallHook
  readonly trace?: boolean
  /** A process that a hook has killed is started again after so long. */
  readonly revive?: number
}

/** Most runs have a slower beat than in earnest: the same rules, and fewer events in a simulated hour. */
const PACES: Readonly<Record<Scenario['pace'], ControllerTuning>> = {
  usual: TUNING,
  slow: { ...TUNING, leaseMs: 15_000, renewMs: 5000, pullMs: 5000, retryMs: 4000 },
}

const MINUTE_MS = 60_000
const CALM_MAX_MS = 120 * MINUTE_MS
const STILL_MS = 3 * MINUTE_MS
/** Jobs that take longer than this need a longer calm. */
const LONG_RUN_SECONDS = 3000
/** So do more replicas than this that leave a drained provider, since they move one at a time. */
const MANY_REPLICAS = 20

/** Runs a scenario: the storm, then the calm until everything is as it should be and stays so. */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<Outcome> {
  const { make = (deps) => new Controller(deps, { tuning: PACES[scenario.pace] }), ...rest } = options
  const world = new World(scenario, { make, ...rest })
  const { loop, invariants } = world
  const isOver = (): boolean => invariants.violations.length > 0 || world.failures.length > 0
  await world.begin()
  const stormEnd = START_MS + scenario.stormMs
  await loop.run(stormEnd, isOver)
  let wellSinceMs: number | undefined
  // So does a roll-out, one replica at a time, on a cloud with a queue.
  const isQueued = scenario.clouds.some(({ queueMs }) => queueMs !== undefined)
  const isLong = isQueued || scenario.actions.some((each) => each.kind === 'apply' && takesLong(each.wish))
  const calmMaxMs = isLong ? 3 * CALM_MAX_MS : CALM_MAX_MS
  while (!isOver() && loop.nowMs < stormEnd + calmMaxMs) {
    await loop.run(loop.nowMs + MINUTE_MS, isOver)
    if (world.unmet().length > 0) wellSinceMs = undefined
    else wellSinceMs ??= loop.nowMs
    if (wellSinceMs !== undefined && loop.nowMs >= wellSinceMs + STILL_MS) break
  }
  const violations = [...invariants.violations]
  for (const detail of world.failures) violations.push({ invariant: 'I7', at: loop.atMs, detail })
  if (violations.length === 0 && wellSinceMs === undefined) {
    for (const detail of world.unmet().slice(0, 3)) violations.push({ invariant: 'I3', at: loop.atMs, detail })
  }
  const { events, hash } = loop
  return {
    seed: scenario.seed,
    violations,
    events,
    simulatedMs: loop.atMs,
    hash,
    trace: loop.trace ?? [],
    ends: world.ends(),
    told: [...invariants.told].toSorted(),
  }
}

function takesLong({ seconds = 0, drains, replicas }: Wish): boolean {
  return seconds > LONG_RUN_SECONDS || (drains && replicas > MANY_REPLICAS)
}
