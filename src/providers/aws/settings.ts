import * as z from 'zod'
import { cloudSettings } from '../cloud/settings.ts'
import { STATUS_PORT } from '../cloud/vm/plan.ts'

/** How Amazon EC2 is used. */
export interface AwsSettings {
  /** Undefined: that of each service and region. */
  readonly endpoint: string | undefined
  readonly isInternal: boolean
  readonly regions: readonly string[]
  /** Patterns of machines that are offered. */
  readonly types: readonly string[]
  /** A profile of this host's AWS files; undefined: the usual one. */
  readonly profile: string | undefined
  /** Images of machines, by the architecture of their processors: an id, or the name of a parameter that holds one. */
  readonly images: Readonly<Record<AwsArch, string>>
  /** GB of the machine's disk, and the name under which its image has it. */
  readonly diskGb: number
  readonly rootDevice: string
  /** Undefined: the default subnets of the region. */
  readonly subnets: readonly string[] | undefined
  /** Undefined: the default group of the network. */
  readonly securityGroups: readonly string[] | undefined
  readonly instanceProfile: string | undefined
  readonly keyName: string | undefined
  /** Machines of a gang use EFA where they have it. */
  readonly efa: boolean
  /** The security groups let Berth and callers reach the machines. */
  readonly isInbound: boolean
  readonly statusPort: number
  /** By which of its addresses a machine is reached. */
  readonly reach: 'public' | 'private'
}

/** Architectures of processors, in the words of EC2. */
export type AwsArch = 'x86_64' | 'arm64'

/** Amazon's own image for work on cards: driver, docker, the GPU runtime and EFA are in it. */
const usualImage = (arch: AwsArch): string =>
  `/aws/service/deeplearning/ami/${arch}/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id`

const REGIONS = 'must be a list of regions such as [us-east-1, eu-central-1]; offers and machines of these are read'
const IMAGE = 'must be the id of an image (ami-…) or the name of an SSM parameter (/…)'
const TYPES = 'must be a list of types or patterns such as [p5.48xlarge, g6*]'

const names = (error: string) => z.array(z.string({ error }).regex(/^[\w.*/:-]{1,200}$/, { error }), { error }).max(100)
const name = (error: string) => z.string({ error }).regex(/^[\w+=,.@/:-]{1,255}$/, { error })
const image = z.string({ error: IMAGE }).regex(/^(?:ami-[0-9a-f]{8,17}|\/[\w./-]{1,1000})$/, { error: IMAGE })

export const awsSettings = z
  .strictObject({
    endpoint: cloudSettings.endpoint,
    internal: cloudSettings.internal,
    regions: names(REGIONS).min(1, { error: REGIONS }),
    types: names(TYPES).min(1, { error: TYPES }).default(['g*', 'p*']),
    profile: name('must be the name of a profile in the AWS files of the control plane').optional(),
    image: image.default(usualImage('x86_64')),
    image_arm64: image.default(usualImage('arm64')),
    disk: z.int({ error: 'must be a number of GB' }).min(40).max(16_000).default(200),
    root_device: name('must be the name of a device such as /dev/sda1').default('/dev/sda1'),
    subnets: names('must be a list of subnets such as [subnet-0123456789abcdef0]').min(1).optional(),
    security_groups: names('must be a list of security groups such as [sg-0123456789abcdef0]').min(1).max(5).optional(),
    instance_profile: name('must be the name of an instance profile').optional(),
    key_name: name('must be the name of a key pair').optional(),
    efa: z.boolean({ error: 'must be true or false' }).default(true),
    inbound: z.boolean({ error: 'must be true or false' }).default(false),
    status_port: z.int({ error: 'must be a port' }).min(1).max(65_535).default(STATUS_PORT),
    reach: z.enum(['public', 'private'], { error: 'must be public or private' }).default('public'),
  })
  .transform((written): AwsSettings => ({
    endpoint: written.endpoint,
    isInternal: written.internal,
    regions: [...new Set(written.regions)],
    types: written.types,
    profile: written.profile,
    images: { x86_64: written.image, arm64: written.image_arm64 },
    diskGb: written.disk,
    rootDevice: written.root_device,
    subnets: written.subnets,
    securityGroups: written.security_groups,
    instanceProfile: written.instance_profile,
    keyName: written.key_name,
    efa: written.efa,
    isInbound: written.inbound,
    statusPort: written.status_port,
    reach: written.reach,
  }))

/** A key of an account. */
export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

const FORM =
  'must have an access key id and a secret access key, as in the files of AWS: aws_access_key_id = …, aws_secret_access_key = …'

/** In the form of AWS' files, of its environment variables or as JSON. Messages never repeat it. */
export const awsCredential = z.string().transform((text, context): AwsKey => {
  const key = keyIn(text)
  if (key !== undefined) return key
  context.addIssue({ code: 'custom', message: FORM })
  return z.NEVER
})

function keyIn(text: string): AwsKey | undefined {
  const value = (field: string): string | undefined =>
    new RegExp(`${field}["']?\\s*[:=]\\s*["']?([A-Za-z0-9/+=_-]{8,4096})`, 'i').exec(text)?.[1]
  const accessKeyId = value('access_?key_?id')
  const secretAccessKey = value('secret_?access_?key')
  const sessionToken = value('session_?token')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}
