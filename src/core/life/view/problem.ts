import { isBilled, type Placement } from '../placement.ts'
import { unreadyText } from '../judge.ts'
import { howToReach } from './reach.ts'
import { isIdentityOf } from '../identity.ts'
import { isWithheld, type Status } from '../status.ts'
import type { Workload } from '../workload.ts'

/** What a cause is looked for in. */
interface Known {
  readonly status: Status | undefined
  readonly placements: readonly Placement[]
  readonly isConfigured?: (provider: string) => boolean
}

/** What is wrong with a workload, in one line, as far as it is known; undefined: nothing, or the reason why it waits says it. */
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

/** Nothing of it can be seen, started or ended until somebody says how to reach the provider. */
function unconfiguredText(lost: Placement, want: Workload['want']): string {
  const { provider } = lost.order.place
  const how = howToReach(provider, lost)
  const what = want === 'running' ? '' : 'it cannot be ended: '
  return `${what}its provider ${provider} is not configured: ${how}`
}

/** No provider has a part in what a secret is missing for. */
function withheldText(status: Status): string | undefined {
  return isWithheld(status) ? status.waiting?.text : undefined
}

function stalledText(
  { manifest }: Workload,
  { why, groups }: NonNullable<Status['stalled']>,
  placements: readonly Placement[],
): string {
  const roles = [undefined, ...manifest.roles.map(({ name }) => name)]
  const isWanted = ({ shape }: Placement): boolean => roles.some((role) => isIdentityOf(shape, manifest, role))
  const isNew = placements.some((placement) => placement.phase === 'running' && !isWanted(placement))
  if (isNew || groups.length === 0) return `the new version fails: ${why}`
  return `${groups.join(', ')} ${groups.length === 1 ? 'was' : 'were'} given up: ${why}`
}

/** The last failure of its own, for as long as that slot is not up again. */
function troubleOf({ trouble, failures }: Status, placements: readonly Placement[]): string | undefined {
  if (trouble === undefined || failures === 0) return undefined
  const isUp = placements.some(({ phase, order }) => phase === 'running' && order.tag.slot === trouble.slot)
  return isUp ? undefined : trouble.text
}

/** The first slot that does not get on, where somebody said why. */
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
      // What has never answered is on its way; once that takes too long the roll-out is given up, which says so.
      return healthy === false && wellMs !== undefined ? `${slot} does not answer its health check any more` : undefined
    case 'stopping':
      return fault === undefined ? undefined : `${slot} cannot be ended on ${provider}: ${fault}`
    case 'gone':
      return undefined
  }
}
