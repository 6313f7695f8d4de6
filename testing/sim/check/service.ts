import { isIdentityOf } from '../../../src/core/life/identity.ts'
import { isBilled, type Placement } from '../../../src/core/life/placement.ts'
import { byEpoch, isLiving } from '../../../src/core/life/seats.ts'
import { groupOf, seatsOf, slotOfSeat, slotsWanted } from '../../../src/core/life/slots.ts'
import type { Workload } from '../../../src/core/life/workload.ts'
import { domainAt } from '../../../src/core/place/choose.ts'
import type { Commit } from '../../../src/ports/store.ts'
import { isLeaving, stepsOf, type Check, type Evidence, type Step } from './check.ts'

/** I13: what serves is taken away by no failing change, and by a good one only while all the others serve. */
export function serviceCheck(evidence: Evidence): Check {
  return {
    written: (commit) => {
      const steps = stepsOf(commit, evidence.mirror)
      for (const step of steps) if (isLeaving(step)) checkTaken(step, steps, evidence)
    },
  }
}

function checkTaken({ key, workload: at, before, after }: Step, steps: readonly Step[], evidence: Evidence): void {
  const { mirror, broke } = evidence
  const workload = mirror.workloads.get(at)
  const isServing = before?.phase === 'running' && workload?.manifest.kind === 'service' && isWell(before, evidence)
  if (!isServing || workload.uid !== after.order.tag.uid || workload.want !== 'running') return
  if (after.why === 'over' && !isIdentityOf(before.shape, workload.manifest, roleOf(after, workload))) {
    broke('I13', `${key} served, and was ended because the version after it fails`)
  }
  if (after.why !== 'replaced' && after.why !== 'drained') return
  // Beside another attempt of its slot it is a predecessor, whose successor serves, or a successor, which does not serve yet.
  if (isBeside(after, at, evidence)) return
  // A change that the leader had not heard of may want more than there was.
  if (mirror.statuses.get(at)?.generation !== workload.generation) return
  const away = awayOf(at, { workload, but: groupOf(after.order.tag.slot), steps }, evidence)
  if (away !== undefined) broke('I13', `${key} was taken from service (${after.why}) while ${away} is away`)
}

function isBeside({ order: { tag } }: Placement, at: string, evidence: Evidence): boolean {
  return seatsOf(tag.slot).some((seat) => {
    const other = evidence.mirror.placements.get(`${at}/${seat}`)
    return other !== undefined && other.order.tag.epoch !== tag.epoch && isLiving(other)
  })
}

interface Looking {
  readonly workload: Workload
  /** The group that goes. */
  readonly but: string
  readonly steps: readonly Step[]
}

/** A slot of the service that is neither up and well nor, in its turn, to be moved. */
function awayOf(at: string, { workload, but, steps }: Looking, { mirror, witness }: Evidence): string | undefined {
  const drains = workload.manifest.migration.on.includes('drain')
  const now = new Map(steps.map(({ key, after }) => [key, after]))
  const missing = slotsWanted(workload).find(({ slot, group, role }) => {
    if (group === but) return false
    const placement = seatsOf(slot)
      .flatMap((seat) => now.get(`${at}/${seat}`) ?? mirror.placements.get(`${at}/${seat}`) ?? [])
      .filter((one) => isLiving(one) || slot === one.order.tag.slot)
      .toSorted((one, two) => Number(isLiving(two)) - Number(isLiving(one)) || byEpoch(one, two))[0]
    if (placement === undefined || placement.order.tag.uid !== workload.uid) return true
    const isDrained = drains && witness.drainedMs(placement.order.place.provider) !== undefined
    const isOld = (placement.generation ?? 0) < (workload.restartedIn ?? 0)
    const isToMove = isDrained || isOld || !isIdentityOf(placement.shape, workload.manifest, role)
    if (placement.phase === 'starting') return !isToMove
    return placement.phase !== 'running' || (placement.healthy === false && !isToMove)
  })
  return missing?.slot
}

/** By the truth: it is up, and nothing has said that it is not well. */
export function isWell({ order }: Placement, { startedBy, witness }: Evidence): boolean {
  const instance = startedBy(order.tag.attempt)
  const nowMs = witness.nowMs()
  return instance !== undefined && instance.upMs <= nowMs && instance.endsMs > nowMs && instance.healthy !== false
}

/** The role that a slot belongs to; undefined: the workload has none. */
export function roleOf(
  { order }: Pick<Placement, 'order'>,
  { manifest }: Pick<Workload, 'manifest'>,
): string | undefined {
  const group = groupOf(order.tag.slot)
  return manifest.roles.find(({ name }) => group.startsWith(`${name}-`))?.name
}

/** Spread: replicas that are to lie apart never lie in one place alone when one of them is placed. */
export function spreadCheck({ mirror, broke }: Evidence): Check {
  return {
    written: (commit) => {
      const fresh = stepsOf(commit, mirror).filter(({ before, after }) => before === undefined && isBilled(after))
      for (const [at, steps] of Map.groupBy(fresh, ({ workload }) => workload)) {
        const workload = mirror.workloads.get(at)
        if (workload === undefined || workload.manifest.spread === 'none' || workload.manifest.roles.length > 0)
          continue
        const domains = domainsOf(commit, { at, workload, mirror })
        const [first, ...others] = domains
        const isApart = others.length === 0 || others.some((domain) => domain !== first)
        if (!isApart) broke('spread', `${steps[0]?.key} was put into ${first}, where all the others are`)
      }
    },
  }
}

function domainsOf(
  commit: Commit,
  { at, workload, mirror }: { readonly at: string; readonly workload: Workload } & Pick<Evidence, 'mirror'>,
): readonly string[] {
  const rows = new Map([...mirror.placements].filter(([key]) => key.startsWith(`${at}/`)))
  for (const { key, after } of stepsOf(commit, mirror)) rows.set(key, after)
  const billed = [...rows.values()]
    .filter((placement) => isBilled(placement) && placement.order.tag.uid === workload.uid)
    .toSorted(byEpoch)
  // What has a successor leaves, so that only the successor lies somewhere.
  return [...new Map(billed.map((placement) => [slotOfSeat(placement.order.tag.slot), placement])).values()].map(
    ({ order }) => domainAt(order.place, workload.manifest.spread),
  )
}
