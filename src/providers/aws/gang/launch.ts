import { gzipSync } from 'node:zlib'
import type {
  CreatePlacementGroupCommandInput,
  InstanceNetworkInterfaceSpecification,
  RunInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import type { CloudStart } from '../../cloud/api.ts'
import { gangNoteText, textParts } from '../../cloud/note.ts'
import { cloudInit } from '../../cloud/vm/cloud-init.ts'
import { gangPlan } from '../../cloud/vm/plan.ts'
import { DATA_MOST, marksOf, NOTE, NOTE_MOST, nameOf, rootDisk, tokenOf, METADATA } from '../launch.ts'
import type { AwsSettings } from '../settings.ts'

/** When a placement group was made, in ms since 1970. EC2 does not tell. */
export const MADE = 'berth-made'
/** EC2 takes 50 tags, of which some are ours otherwise. */
const PARTS_MOST = 40

/** What all members of a gang are told: their notes, and their data. */
export interface GangTold {
  readonly notes: readonly string[]
  readonly data: string
}

/** Undefined: it does not fit. */
export function gangTold(
  starts: readonly CloudStart[],
  { isInbound, statusPort }: Pick<AwsSettings, 'isInbound' | 'statusPort'>,
): GangTold | undefined {
  const note = gangNoteText(starts.map((start) => start.note))
  const notes = note === undefined ? [] : textParts(note, NOTE_MOST)
  const hosts = starts[0]?.order.meeting?.hosts ?? []
  const packed = gzipSync(cloudInit(gangPlan(starts, { status: isInbound ? statusPort : 0, hosts })), { level: 9 })
  if (notes.length === 0 || notes.length > PARTS_MOST || packed.length > DATA_MOST) return undefined
  return { notes, data: packed.toString('base64') }
}

/** Where all members of a gang are started. */
export interface AwsGangSpot {
  readonly subnet: string
  readonly image: string
  /** How many interfaces for EFA each machine gets; 0: it has none, or they are not used. */
  readonly efa: number
  /** The placement group; undefined: these machines cannot be close to each other. */
  readonly group: string | undefined
}

/** As many machines as the gang has members, all of them or none: EC2 starts no fewer than asked for. */
export function machinesOf(
  start: CloudStart,
  {
    told,
    spot,
    settings,
    count,
  }: {
    readonly told: GangTold
    readonly spot: AwsGangSpot
    readonly settings: AwsSettings
    readonly count: number
  },
): RunInstancesCommandInput {
  const { order } = start
  const { keyName, instanceProfile, securityGroups } = settings
  const tags = marksOf(order.tag)
  const notes = told.notes.map((Value, index) => ({ Key: `${NOTE}${index}`, Value }))
  return {
    MinCount: count,
    MaxCount: count,
    ClientToken: tokenOf(order.tag),
    ImageId: spot.image,
    // Proven: the name of a type is one of EC2's own, which offers were made from.
    InstanceType: order.place.instance as NonNullable<RunInstancesCommandInput['InstanceType']>,
    UserData: told.data,
    BlockDeviceMappings: [rootDisk(order, settings)],
    // The runner reads who it is, and where the others are. Then it closes the way.
    MetadataOptions: { ...METADATA, InstanceMetadataTags: 'enabled' },
    ...(spot.efa > 0
      ? { NetworkInterfaces: interfaces(spot, securityGroups) }
      : { SubnetId: spot.subnet, ...(securityGroups !== undefined && { SecurityGroupIds: [...securityGroups] }) }),
    ...(spot.group !== undefined && { Placement: { GroupName: spot.group } }),
    ...(keyName !== undefined && { KeyName: keyName }),
    ...(instanceProfile !== undefined && { IamInstanceProfile: { Name: instanceProfile } }),
    ...(order.place.market === 'spot'
      ? {
          InstanceMarketOptions: {
            MarketType: 'spot',
            SpotOptions: {
              MaxPrice: order.usdPerHourMax.toFixed(5),
              SpotInstanceType: 'one-time',
              InstanceInterruptionBehavior: 'terminate',
            },
          },
        }
      : { InstanceInitiatedShutdownBehavior: 'terminate' }),
    TagSpecifications: [
      { ResourceType: 'instance', Tags: [...tags, ...notes] },
      { ResourceType: 'volume', Tags: tags },
    ],
  }
}

/** The first is the usual one, too; the others are on network cards of their own. */
function interfaces(
  { subnet, efa }: AwsGangSpot,
  groups: readonly string[] | undefined,
): InstanceNetworkInterfaceSpecification[] {
  return Array.from({ length: efa }, (_, card) => ({
    DeviceIndex: card === 0 ? 0 : 1,
    NetworkCardIndex: card,
    InterfaceType: card === 0 ? 'efa' : 'efa-only',
    SubnetId: subnet,
    DeleteOnTermination: true,
    ...(groups !== undefined && { Groups: [...groups] }),
  }))
}

/** Machines that are close to each other. It costs nothing, and is deleted once it is empty. */
export function groupOf(
  { order }: Pick<CloudStart, 'order'>,
  nowMs: number,
): CreatePlacementGroupCommandInput & {
  readonly GroupName: string
} {
  return {
    GroupName: nameOf(order.tag),
    Strategy: 'cluster',
    TagSpecifications: [
      { ResourceType: 'placement-group', Tags: [...marksOf(order.tag), { Key: MADE, Value: `${nowMs}` }] },
    ],
  }
}
