import type { LaunchTemplate } from '@aws-sdk/client-ec2'

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
