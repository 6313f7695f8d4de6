import { Dice } from '../../src/core/base/dice.ts'
import type { FaultEvent } from './faults.ts'
import type { Process } from '../../src/controller/process.suite.ts'
import type { Scenario } from './scenario.ts'
import type { UserAction } from './users/action.ts'
import { SHAPES, type CapacityItem } from '../../src/controller/offers.suite.ts'
import { simulate, type Outcome } from './simulate.ts'
import type { Wish } from './users/wishes.ts'

/** A short story in which one thing is done, so that a crash can be put at every single call of it. */
export interface Story {
  readonly name: string
  readonly wish: Partial<Wish>
  readonly after: readonly UserAction[]
  readonly faults?: readonly FaultEvent[]
}

const MINUTE_MS = 60_000
const NAME = 'work'

export const STORIES: readonly Story[] = [
  { name: 'launch', wish: { replicas: 2 }, after: [] },
  { name: 'stop', wish: { replicas: 2 }, after: [{ kind: 'stop', at: 100_000, name: NAME }] },
  {
    name: 'scale',
    wish: { replicas: 1 },
    after: [
      { kind: 'scale', at: 80_000, name: NAME, replicas: 3 },
      { kind: 'scale', at: 150_000, name: NAME, replicas: 1 },
    ],
  },
  {
    name: 'drain',
    wish: { replicas: 2, drains: true },
    after: [{ kind: 'provider', at: 80_000, provider: 'cloud-2', state: 'draining' }],
  },
  {
    name: 're-placement',
    wish: { replicas: 2 },
    after: [],
    faults: [
      { kind: 'machine', at: 90_000, provider: 'cloud-2', pick: 0 },
      { kind: 'sold-out', at: 80_000, forMs: 90_000, provider: 'cloud-2', pick: 0 },
    ],
  },
  { name: 'gang', wish: { kind: 'job', nodes: 3, seconds: 60 }, after: [] },
]

/** Where a control plane is killed: at its n-th call to the outside, before it leaves or after it was carried out. */
export interface CrashPoint {
  readonly call: number
  readonly when: 'before' | 'after'
}

/** How many calls a story takes when nothing happens: as many points to crash at. */
export async function callsOf(story: Story, seed: number): Promise<number> {
  let calls = 0
  await simulate(scenarioOf(story, seed), { hook: (_, when) => void (calls += when === 'before' ? 1 : 0) })
  return calls
}

/** Plays a story with one crash in it; the control plane starts again two seconds later. */
export async function crashAt(story: Story, seed: number, point: CrashPoint): Promise<Outcome> {
  let calls = 0
  const isThere = (when: 'before' | 'after'): boolean => {
    if (when === 'before') calls++
    return calls === point.call && when === point.when
  }
  let isDone = false
  const hook = (process: Process, when: 'before' | 'after'): void => {
    if (isDone || !isThere(when)) return
    isDone = true
    process.kill()
  }
  return simulate(scenarioOf(story, seed), { hook, revive: 2000 })
}

function scenarioOf(story: Story, seed: number): Scenario {
  const dice = new Dice(seed * 271 + 5)
  const names = ['cloud-0', 'cloud-1', 'cloud-2']
  return {
    seed,
    stormMs: 4 * MINUTE_MS,
    planes: 1,
    pace: 'slow',
    clouds: names.map((name, index) => ({
      name,
      tokens: dice.oneIn(2),
      minds: 'ceilings',
      settleMs: 60_000,
      lagMs: dice.roll(15_000),
      keepMs: 10 * MINUTE_MS,
      startMs: [5000, 20_000],
      stopMs: [0, 10_000],
      callsPerSecond: 5,
      items: SHAPES.map((shape): CapacityItem => {
        const units = index === 2 ? 4 : undefined
        return { provider: name, region: 'east', shape, factor: index === 2 ? 1 : 2 + index / 4, units, spot: false }
      }),
    })),
    projects: {},
    actions: [{ kind: 'apply', at: 1000 + dice.roll(3000), wish: { ...WISH, ...story.wish } }, ...story.after],
    faults: story.faults ?? [],
  }
}

const WISH: Wish = {
  name: NAME,
  project: 'default',
  kind: 'service',
  shape: 'small',
  replicas: 1,
  nodes: 1,
  spread: 'none',
  drains: false,
  seconds: undefined,
  exits: '0',
  restarts: undefined,
  completions: 1,
  maxDurationSeconds: undefined,
  checkpointSeconds: undefined,
  policy: undefined,
  secrets: [],
  edition: 1,
}
