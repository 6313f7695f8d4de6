import type { LaunchTemplate, PlacementGroup } from '@aws-sdk/client-ec2'
import { MADE } from './gang/launch.ts'

/** A launch takes a minute at most. A template that is older was left behind by a control plane that died in the middle. */
export const LEFT_AFTER_MS = 15 * 60_000
const AT_ONCE = 20

/** Templates that nobody needs any more, the oldest first, and not too many at once. */
export function leftBehind(templates: readonly LaunchTemplate[], nowMs: number): readonly string[] {
  return templates
    .flatMap(({ LaunchTemplateId: id, CreateTime }) =>
      id === undefined || CreateTime === undefined ? [] : [{ id, atMs: CreateTime.getTime() }],
    )
    .filter(({ atMs }) => nowMs - atMs > LEFT_AFTER_MS)
    .toSorted((one, two) => one.atMs - two.atMs || (one.id < two.id ? -1 : 1))
    .slice(0, AT_ONCE)
    .map(({ id }) => id)
}

/** Placement groups that may be empty by now: one that is not is not deleted by EC2. */
export function emptyGroups(groups: readonly PlacementGroup[], nowMs: number): readonly string[] {
  return groups
    .filter(({ Tags = [] }) => nowMs - Number(Tags.find(({ Key }) => Key === MADE)?.Value) > LEFT_AFTER_MS)
    .flatMap(({ GroupName }) => GroupName ?? [])
    .toSorted()
    .slice(0, AT_ONCE)
}
