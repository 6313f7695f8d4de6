import type { Instance, Subnet } from '@aws-sdk/client-ec2'
import type { Fault } from '../../../core/life/call/fault.ts'
import { must } from '../../../core/base/assert.ts'
import type { Answer, Call, Launched } from '../../../ports/provider.ts'
import type { CloudStart } from '../../cloud/api.ts'
import type { AwsApi } from '../api.ts'
import { gangTold, groupOf, machinesOf, type AwsGangSpot, type GangTold } from './launch.ts'
import { machineId } from '../machines.ts'
import type { AwsSettings } from '../settings.ts'
import { readyFor, type AwsReady, type Starting } from '../start.ts'
import { efaOf, isClosePossible, whyNoGang } from './network.ts'
import { introductionOf } from './peers.ts'

/** All machines of a gang with one call, close to each other, or none of them. */
export async function gangLaunched(
  starts: readonly CloudStart[],
  starting: Starting,
): Promise<Answer<readonly Launched[]>> {
  const { settings, api, call, nowMs } = starting
  const first = must(starts[0], 'a gang has members')
  if (starts.some(({ order }) => !isSamePlace(order.place, first.order.place)))
    return no({ class: 'BAD_REQUEST', message: 'The members of a gang are of one kind and in one zone here.' })
  const told = gangTold(starts, settings)
  if (told === undefined)
    return no({
      class: 'BAD_REQUEST',
      message: 'env, command and args of all members are too large together: EC2 takes 16 kB, packed.',
    })
  const found = await spotFor(first, starting)
  if (!found.ok) return no({ ...found.fault, created: 'no' })
  const { spot, isClose, ready } = found.value
  const { region } = first.order.place
  const group = isClose ? groupOf(first, nowMs) : undefined
  if (group !== undefined) {
    const made = await api.createGroup(region, group, call)
    // No machine comes of a group. One that was made all the same is found by its age.
    if (!made.ok) return no({ ...made.fault, created: 'no' })
  }
  const at = { ...spot, group: group?.GroupName }
  const answer = await startedAt(first, { told, spot: at, settings, count: starts.length }, { api, call, ready })
  // An empty group is of no use; one that is not empty stays.
  if (!answer.ok && group !== undefined) await api.deleteGroup(region, group.GroupName, call)
  return answer
}

async function startedAt(
  first: CloudStart,
  asked: {
    readonly told: GangTold
    readonly spot: AwsGangSpot
    readonly settings: AwsSettings
    readonly count: number
  },
  { api, call, ready }: { readonly api: AwsApi; readonly call: Call; readonly ready: AwsReady },
): Promise<Answer<readonly Launched[]>> {
  const { region } = first.order.place
  const answer = await api.runInstances(region, machinesOf(first, asked), call)
  if (!answer.ok) return answer
  const machines = (answer.value?.Instances ?? []).toSorted(byNumber)
  const ids = machines.flatMap(({ InstanceId }) => InstanceId ?? [])
  if (ids.length !== asked.count)
    return no({ class: 'AMBIGUOUS', message: `EC2 answered with ${ids.length} machines instead of ${asked.count}` })
  const introduction = introductionOf(machines)
  // What is not told now is told when the machines are listed.
  if (introduction !== undefined) await api.tag(region, introduction, call)
  return { ok: true, value: ids.map((id) => ({ instance: machineId(region, id), usdPerHour: ready.usdPerHour })) }
}

interface Found {
  readonly spot: Omit<AwsGangSpot, 'group'>
  readonly isClose: boolean
  readonly ready: AwsReady
}

/** One subnet, an image, and a network in which the members reach each other. It creates nothing. */
async function spotFor(start: CloudStart, starting: Starting): Promise<Answer<Found>> {
  const { settings, api, call } = starting
  const { region } = start.order.place
  const ready = await readyFor(start, starting)
  if (!ready.ok) return ready
  const { spot, type, subnets } = ready.value
  // The one with the most addresses left.
  const [subnet] = subnets.toSorted(byRoom)
  const efa = efaOf(type, settings)
  const groups = await api.securityGroups(region, settings.securityGroups ?? vpcOf(subnet), call)
  if (!groups.ok) return groups
  const why = whyNoGang(groups.value.items, { efa })
  if (why !== undefined) return no({ class: 'NO_MATCHING_SHAPE', scope: 'region', message: why })
  const image = settings.images[spot.arch]
  return {
    ok: true,
    value: {
      spot: {
        subnet: subnet?.SubnetId ?? '',
        image: image.startsWith('/') ? `resolve:ssm:${image}` : image,
        efa,
      },
      isClose: isClosePossible(type),
      ready: ready.value,
    },
  }
}

function vpcOf(subnet: Subnet | undefined): { readonly vpc: string } {
  return { vpc: subnet?.VpcId ?? '' }
}

function byRoom(one: Subnet, two: Subnet): number {
  return (two.AvailableIpAddressCount ?? 0) - (one.AvailableIpAddressCount ?? 0)
}

function byNumber(one: Instance, two: Instance): number {
  return (one.AmiLaunchIndex ?? 0) - (two.AmiLaunchIndex ?? 0)
}

type Place = CloudStart['order']['place']

function isSamePlace(one: Place, two: Place): boolean {
  return (['region', 'zone', 'instance', 'market'] as const).every((key) => one[key] === two[key])
}

function no(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault }
}
