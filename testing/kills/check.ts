import type { WorkloadView } from '../../src/core/life/view/view.ts'
import type { At, Berth } from '../../src/ports/berth.ts'
import type { LocalTruth } from './local.ts'
import type { Register, Stand } from './model.ts'
import { until } from '../plane/plane.ts'
import { doublesIn, localStrayIn, readTruth, strayIn } from '../plane/truth.ts'

export interface CheckSetup {
  /** Data folder of the control plane. */
  readonly folder: string
  readonly berth: Berth
  readonly registers: ReadonlyMap<string, Register>
  /** Left out: nothing runs as processes of this host. */
  readonly local?: LocalTruth
  /** Everything has to be as it is wanted by then. */
  readonly calmWithinMs: number
}

export interface Checked {
  /** Acknowledged and not there, or there and never asked for. */
  readonly lost: readonly string[]
  /** Billed twice at a time, at any moment of the history. */
  readonly doubled: readonly string[]
  /** What is still wrong after a while without faults: an orphan, or a workload that is not up. */
  readonly leaked: readonly string[]
  readonly calmAfterMs: number
  /** What was the last to come right. */
  readonly lastly: string | undefined
  /** Instances that were ever started. */
  readonly instances: number
}

/** Compares what the control plane says, what its clients remember and what the clouds bill. */
export async function check(setup: CheckSetup): Promise<Checked> {
  const { folder, berth, registers } = setup
  const lost: string[] = []
  const views = new Map((await allWorkloads(berth)).map((view) => [view.name, view]))
  for (const [name, register] of registers) {
    const may = JSON.stringify(register.may)
    const found = await standOf(berth, views.get(name))
    if (register.seen(found)) continue
    lost.push(`${name} is ${JSON.stringify(found)} but may be ${may}: ${register.story.join(', ')}`)
  }
  const beganMs = Date.now()
  const { leaked, lastly } = await restlessness(setup)
  const truth = readTruth(folder)
  return {
    lost,
    doubled: doublesIn(truth),
    leaked,
    calmAfterMs: Date.now() - beganMs,
    lastly,
    instances: truth.length,
  }
}

/** Every workload of every page. */
export async function allWorkloads(berth: Berth): Promise<readonly WorkloadView[]> {
  const views: WorkloadView[] = []
  for (let after: string | undefined; ;) {
    const page = await berth.workloads({ after, limit: 500 })
    views.push(...page.items)
    if (page.next === undefined) return views
    after = page.next
  }
}

async function standOf(berth: Berth, view: WorkloadView | undefined): Promise<Stand> {
  if (view === undefined) return { kind: 'absent' }
  const { want, total, project, name } = view
  if (want === 'removed') return { kind: 'removed' }
  const at: At = { project, name }
  const { text } = await berth.manifest(at)
  return { kind: 'kept', text, want, replicas: total }
}

interface Restlessness {
  readonly leaked: readonly string[]
  readonly lastly: string | undefined
}

/** What is still not as it should be when the time is over, or else was so for the longest time. */
async function restlessness({ berth, folder, local, calmWithinMs: withinMs }: CheckSetup): Promise<Restlessness> {
  let wrong: readonly string[] = []
  let lastly: string | undefined
  try {
    await until('everything is calm', { withinMs, everyMs: 500 }, async () => {
      const views = await allWorkloads(berth)
      const strays = strayIn(readTruth(folder), views, Date.now())
      wrong = [...views.flatMap(unmet), ...strays, ...localStrayIn(local?.living() ?? [], views)]
      lastly = wrong[0] ?? lastly
      return wrong[0] ?? { found: true }
    })
    return { leaked: [], lastly }
  } catch (error) {
    return { leaked: wrong.length > 0 ? wrong : [String(error)], lastly }
  }
}

function unmet({ name, want, state, ready, total, waiting, slots }: WorkloadView): readonly string[] {
  const wanted = want === 'running' && total > 0 ? 'serving' : 'stopped'
  if (want !== 'removed' && state === wanted && (wanted === 'stopped' || ready === total)) return []
  const phases = slots.map(({ slot, phase, tries }) => `${slot} ${phase} after ${tries} failures`).join('; ')
  return [
    `${name} is to be ${want} and is ${state}, ${ready} of ${total} (${waiting?.text ?? 'not waiting'}; ${phases})`,
  ]
}
