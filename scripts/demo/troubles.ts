import { processesWith, signalAll } from './processes.ts'
import { sleep, until, type Plane } from './plane.ts'
import type { WorkloadView } from '../../src/core/life/view/view.ts'

/** Something that goes wrong, or is done to the platform, while callers call. */
export interface Trouble {
  /** The key that brings it about. */
  readonly key: string
  readonly title: string
  /** Resolves once everything is as it should be again. */
  readonly play: (stage: Stage) => Promise<void>
}

/** What troubles are played on. */
export interface Stage {
  readonly plane: Plane
  readonly say: (line: string) => void
}

/** How long replicas stay frozen: long enough for callers to run into them. */
const FROZEN_MS = 6000
/** How long nobody is in control. */
const AWAY_MS = 3000

export const TROUBLES: readonly Trouble[] = [
  {
    key: 's',
    title: 'harbor is sold out: somebody else takes its last card, and the next one has to go elsewhere.',
    play: async (stage) => {
      const { plane } = stage
      await plane.show('apply', 'examples/demo/other.yaml', '--yes', '--price-tolerance', '50%')
      await plane.show('scale', 'other', '2')
      await well(stage, ['other'])
      await plane.show('explain', 'other')
    },
  },
  {
    key: 'k',
    title: 'northwind dies: every process there is killed at once.',
    play: async (stage) => {
      const pids = await processesAt(stage, 'northwind')
      signalAll(pids, 'SIGKILL')
      stage.say(`kill -9 of ${pids.length} processes`)
      await missed(stage)
      await well(stage)
    },
  },
  {
    key: 'd',
    title: 'harbor is drained: what runs there moves away, one replica at a time.',
    play: async (stage) => {
      await stage.plane.show('drain', 'harbor')
      await until('harbor is empty', async () => (await slotsAt(stage, 'harbor')).length === 0)
      await well(stage)
      await stage.plane.show('drain', 'harbor', '--undo')
    },
  },
  {
    key: 'f',
    title: `palmgrid freezes for ${FROZEN_MS / 1000} s: its processes are there, and say nothing.`,
    play: async (stage) => {
      const pids = await processesAt(stage, 'palmgrid')
      signalAll(pids, 'SIGSTOP')
      stage.say(`${pids.length} processes are stopped`)
      await sleep(FROZEN_MS)
      signalAll(pids, 'SIGCONT')
      stage.say('and go on')
      await well(stage)
    },
  },
  {
    key: 'c',
    title: 'The control plane is killed with -9, and stays away for a while.',
    play: async (stage) => {
      const before = await attemptsOf(stage)
      await stage.plane.kill()
      stage.say('kill -9 of the control plane; callers go on')
      await sleep(AWAY_MS)
      await stage.plane.start()
      await well(stage)
      const after = await attemptsOf(stage)
      const same = [...before].filter((attempt) => after.has(attempt)).length
      stage.say(`${same} of ${before.size} replicas are the same as before`)
    },
  },
]

const KEPT = ['chat', 'embed', 'train']

export async function views({ plane }: Pick<Stage, 'plane'>): Promise<readonly WorkloadView[]> {
  return JSON.parse(await plane.ask('ps', '-o', 'json'))
}

/** Waits until everything that is named is up. */
export async function well(stage: Stage, names: readonly string[] = KEPT): Promise<void> {
  await until(`${names.join(', ')} are up`, async () => {
    const found = (await views(stage)).filter(({ name }) => names.includes(name))
    return found.length === names.length && found.every(({ ready, total }) => ready === total)
  })
}

/** Waits until the control plane has seen that something is missing. */
async function missed(stage: Stage): Promise<void> {
  await until('it was noticed', async () => (await views(stage)).some(({ ready, total }) => ready < total))
}

async function slotsAt(stage: Stage, provider: string): Promise<readonly WorkloadView['slots'][number][]> {
  const slots = (await views(stage)).flatMap((view) => view.slots)
  return slots.filter((slot) => slot.provider === provider && slot.phase !== 'gone')
}

async function processesAt(stage: Stage, provider: string): Promise<readonly number[]> {
  return processesWith(new Set((await slotsAt(stage, provider)).map(({ attempt }) => `BERTH_ATTEMPT=${attempt}`)))
}

async function attemptsOf(stage: Stage): Promise<ReadonlySet<string>> {
  const slots = (await views(stage)).flatMap((view) => view.slots)
  return new Set(slots.filter(({ phase }) => phase === 'running').map(({ attempt }) => attempt))
}
