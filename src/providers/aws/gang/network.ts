import type { InstanceTypeInfo, IpPermission, SecurityGroup } from '@aws-sdk/client-ec2'
import type { AwsSettings } from '../settings.ts'

/** Whether machines with these groups let in, or out, everything between each other. */
function isOpen(groups: readonly SecurityGroup[], rules: (group: SecurityGroup) => readonly IpPermission[]): boolean {
  const ids = new Set(groups.map(({ GroupId }) => GroupId))
  return groups.some((group) =>
    rules(group).some(
      ({ IpProtocol, UserIdGroupPairs }) =>
        IpProtocol === '-1' && UserIdGroupPairs?.some(({ GroupId }) => ids.has(GroupId)) === true,
    ),
  )
}

/** Why machines with these groups could not work as a gang, and what to do; undefined: they can. */
export function whyNoGang(groups: readonly SecurityGroup[], { efa }: { readonly efa: number }): string | undefined {
  const names = groups.map(({ GroupId }) => GroupId).join(', ') || 'none'
  const lacks = (rule: string): string =>
    `Machines of a gang could not reach each other: no security group of theirs (${names}) has a rule that lets ${rule}.`
  if (!isOpen(groups, ({ IpPermissions }) => IpPermissions ?? []))
    return `${lacks('in all traffic from the group itself')} Add one, or name a group that has one in security_groups.`
  // Traffic of EFA goes past routing: a rule for all addresses does not cover it.
  if (efa > 0 && !isOpen(groups, ({ IpPermissionsEgress }) => IpPermissionsEgress ?? []))
    return `${lacks('out all traffic to the group itself, which EFA needs')} Add one, or set efa: false.`
  return undefined
}

/** A machine with a public address has one network card only: EC2 gives no such address to several. */
export function efaOf({ NetworkInfo }: InstanceTypeInfo, { efa, reach }: Pick<AwsSettings, 'efa' | 'reach'>): number {
  if (!efa || NetworkInfo?.EfaSupported !== true) return 0
  return reach === 'private' ? (NetworkInfo.EfaInfo?.MaximumEfaInterfaces ?? 1) : 1
}

export function isClosePossible({ PlacementGroupInfo }: InstanceTypeInfo): boolean {
  return PlacementGroupInfo?.SupportedStrategies?.includes('cluster') === true
}
