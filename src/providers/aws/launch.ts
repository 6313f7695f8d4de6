import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { CreateFleetCommandInput, CreateLaunchTemplateCommandInput, Tag } from '@aws-sdk/client-ec2'
import type { CloudStart } from '../cloud/api.ts'
import { machineName, noteParts } from '../cloud/note.ts'
import { cloudInit } from '../cloud/vm/cloud-init.ts'
import { vmPlan } from '../cloud/vm/plan.ts'
import type { AwsArch, AwsSettings } from './settings.ts'

/** Everything that Berth makes has it. */
export const MARK = 'berth'
export const NOTE = 'berth-note-'
/** EC2 keeps 256 characters of a value. */
export const NOTE_MOST = 250
/** EC2 takes this many bytes of data for a machine. */
export const DATA_MOST = 16_384

/** The container of one machine is one hop further: it cannot read what its machine was told. */
export const METADATA = { HttpEndpoint: 'enabled', HttpTokens: 'required', HttpPutResponseHopLimit: 1 } as const

/** Where a machine is started. */
export interface AwsSpot {
  readonly subnets: readonly string[]
  readonly arch: AwsArch
}

/** What a machine is told, packed; undefined: it does not fit. */
export function userDataOf(
  start: CloudStart,
  settings: Pick<AwsSettings, 'isInbound' | 'statusPort'>,
): string | undefined {
  const plan = vmPlan(start, { status: settings.isInbound ? settings.statusPort : 0 })
  const packed = gzipSync(cloudInit(plan), { level: 9 })
  return packed.length > DATA_MOST ? undefined : packed.toString('base64')
}

/**
 * The template of one attempt: what a fleet cannot state itself. No secret is in it. It is deleted as soon as the fleet has
 * answered.
 */
export function templateOf(
  { order }: Pick<CloudStart, 'order'>,
  settings: AwsSettings,
): CreateLaunchTemplateCommandInput {
  const { securityGroups, keyName, instanceProfile } = settings
  const tags = marksOf(order.tag)
  return {
    LaunchTemplateName: nameOf(order.tag),
    ClientToken: tokenOf(order.tag),
    TagSpecifications: [{ ResourceType: 'launch-template', Tags: tags }],
    LaunchTemplateData: {
      BlockDeviceMappings: [rootDisk(order, settings)],
      MetadataOptions: METADATA,
      ...(order.place.market === 'on-demand' && { InstanceInitiatedShutdownBehavior: 'terminate' as const }),
      ...(securityGroups !== undefined && { SecurityGroupIds: [...securityGroups] }),
      ...(keyName !== undefined && { KeyName: keyName }),
      ...(instanceProfile !== undefined && { IamInstanceProfile: { Name: instanceProfile } }),
      TagSpecifications: [{ ResourceType: 'volume', Tags: tags }],
    },
  }
}

export function rootDisk(
  { diskGib = 0 }: Pick<CloudStart['order'], 'diskGib'>,
  { diskGb, rootDevice }: Pick<AwsSettings, 'diskGb' | 'rootDevice'>,
) {
  const Ebs = {
    VolumeSize: Math.max(diskGb, Math.ceil(diskGib)),
    VolumeType: 'gp3' as const,
    DeleteOnTermination: true,
  }
  return { DeviceName: rootDevice, Ebs }
}

/** One machine of one type in one zone, now or never. */
export function fleetOf(
  { order, note }: CloudStart,
  {
    template,
    data,
    spot,
    settings,
  }: {
    readonly template: string
    readonly data: string
    readonly spot: AwsSpot
    readonly settings: Pick<AwsSettings, 'images'>
  },
): CreateFleetCommandInput {
  const { place, tag, usdPerHourMax } = order
  const isSpot = place.market === 'spot'
  const notes = noteParts(note, NOTE_MOST).map((Value, index) => ({ Key: `${NOTE}${index}`, Value }))
  const image = settings.images[spot.arch]
  return {
    Type: 'instant',
    ClientToken: tokenOf(tag),
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: place.market },
    ...(isSpot
      ? { SpotOptions: { AllocationStrategy: 'price-capacity-optimized', InstanceInterruptionBehavior: 'terminate' } }
      : { OnDemandOptions: { AllocationStrategy: 'lowest-price' } }),
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: {
          LaunchTemplateId: template,
          Version: '1',
          LaunchTemplateSpecificationUserData: data,
        },
        Overrides: spot.subnets.map((SubnetId) => ({
          // Proven: the name of a type is one of EC2's own, which offers were made from.
          InstanceType: place.instance as NonNullable<InstanceTypeName>,
          SubnetId,
          ImageId: image.startsWith('/') ? `resolve:ssm:${image}` : image,
          ...(isSpot && { MaxPrice: usdPerHourMax.toFixed(5) }),
        })),
      },
    ],
    TagSpecifications: [
      { ResourceType: 'instance', Tags: [...marksOf(tag), ...notes] },
      { ResourceType: 'fleet', Tags: marksOf(tag) },
    ],
  }
}

type FleetConfig = NonNullable<CreateFleetCommandInput['LaunchTemplateConfigs']>[number]
type InstanceTypeName = NonNullable<FleetConfig['Overrides']>[number]['InstanceType']

type Who = Parameters<typeof machineName>[0]

export function marksOf(tag: Who): Tag[] {
  return [
    { Key: 'Name', Value: machineName(tag) },
    { Key: MARK, Value: 'machine' },
  ]
}

/** Templates and placement groups have names of few signs. */
export function nameOf(tag: Who): string {
  return `${machineName(tag).replaceAll(/[^\w.-]/g, '-')}-${tokenOf(tag).slice(0, 8)}`
}

/** The same for each try of the same attempt, and for nothing else. */
export function tokenOf({ owner, attempt }: Who): string {
  return createHash('sha256').update(`${owner}/${attempt}`).digest('hex').slice(0, 60)
}
