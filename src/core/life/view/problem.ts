import { isBilled, type Placement } from '../placement.ts'
import { unreadyText } from '../judge.ts'
import { howToReach } from './reach.ts'
import { isUpToDate } from '../current.ts'
import { slotOfSeat } from '../slots.ts'
import { isWithheld, type Status } from '../status.ts'
import type { Workload } from '../workload.ts'

/** Where to look for a cause. */
interface Known {
  readonly status: Status | undefined
  readonly placements: readonly Placement[]
  readonly isConfigured?: (provider: string) => boolean
}

/** What is wrong with a workload, in one line, if known. Undefined: nothing is wrong, or the reason for its wait says it. */
export function problemOf(workload: Workload, { status, placements, isConfigured }: Known): string | undefined {
  const lost = placements.find((each) => isBilled(each) && isConfigured?.(each.order.place.provider) === false)
  if (lost !== undefined) return unconfiguredText(lost, workload.want)
  if (status !== undefined && status.generation === workload.generation) {
    if (status.end?.state === 'failed') return status.end.why
    if (status.stalled !== undefined) return stalledText(workload, status.stalled, placements)
    if (status.end === undefined)
      return withheldText(status) ?? troubleOf(status, placements) ?? slotProblem(placements)
  }
  return slotProblem(placements)
}

/** Nothing of the workload can be seen, started or stopped until a user configures the provider. */
function unconfiguredText(lost: Placement, want: Workload['want']): string {
  const { provider } = lost.order.place
  const how = howToReach(provider, lost)
  const what = want === 'running' ? '' : 'it cannot be stopped: '
  return `${what}its provider ${provider} is not configured: ${how}`
}

/** The provider has no part in a launch that waits for a secret. */
function withheldText(status: Status): string | undefined {
  return isWithheld(status) ? status.waiting?.text : undefined
}

function stalledText(
  workload: Workload,
  { why, groups }: NonNullable<Status['stalled']>,
  placements: readonly Placement[],
): string {
  const roles = [undefined, ...workload.manifest.roles.map(({ name }) => name)]
  const isWanted = (one: Placement): boolean => roles.some((role) => isUpToDate(one, workload, role))
  const isNew = placements.some((placement) => placement.phase === 'running' && !isWanted(placement))
  const what = workload.restartedIn === workload.generation ? 'the restarted replica' : 'the new version'
  if (isNew || groups.length === 0) return `${what} fails: ${why}`
  return `${groups.join(', ')} ${groups.length === 1 ? 'was' : 'were'} given up: ${why}`
}

/** The last failure of the work itself, until that slot is up again. A predecessor that serves on was never down. */
function troubleOf({ trouble, failures }: Status, placements: readonly Placement[]): string | undefined {
  if (trouble === undefined || failures === 0) return undefined
  const isUp = placements.some(
    ({ phase, order, reservedMs }) =>
      phase === 'running' && reservedMs >= trouble.atMs && slotOfSeat(order.tag.slot) === slotOfSeat(trouble.slot),
  )
  return isUp ? undefined : trouble.text
}

/** The first slot that makes no progress for a known reason. */
function slotProblem(placements: readonly Placement[]): string | undefined {
  for (const placement of placements) {
    const text = textOf(placement)
    if (text !== undefined) return text
  }
  return undefined
}

function textOf(placement: Placement): string | undefined {
  const { phase, fault, slow, order, healthy, wellMs } = placement
  const { slot } = order.tag
  const { provider } = order.place
  switch (phase) {
    case 'reserved':
      return fault === undefined ? undefined : `${slot} cannot be started on ${provider}: ${fault}`
    case 'unknown':
      return fault === undefined ? undefined : `whether ${slot} runs on ${provider} is not known: ${fault}`
    case 'starting':
      return slow === true ? unreadyText(placement) : undefined
    case 'running':
      // A slot that has never answered is still starting. If that takes too long, the roll-out ends and says so.
      return healthy === false && wellMs !== undefined
        ? `${slot} no longer passes its health check (no answer with status 2xx)`
        : undefined
    case 'stopping':
      return fault === undefined ? undefined : `${slot} cannot be stopped on ${provider}: ${fault}`
    case 'gone':
      return undefined
  }
}
