import type { Instance as Ec2Instance, SpotInstanceRequest } from '@aws-sdk/client-ec2'
import type { Exit } from '../../core/life/call/exit.ts'
import type { Instance } from '../../ports/provider.ts'
import type { CloudMachine } from '../cloud/api.ts'
import { readGangNote, readNoteText, readTextParts } from '../cloud/note.ts'
import { NOTE } from './launch.ts'
import type { AwsSettings } from './settings.ts'

/** The name of a machine with its region, without which it cannot be found: `us-east-1/i-0123456789abcdef0`. */
export function machineId(region: string, id: string): string {
  return `${region}/${id}`
}

/** Undefined: it is no such name. */
export function readMachineId(text: string): { readonly region: string; readonly id: string } | undefined {
  const [, region, id] = /^([a-z0-9-]{1,40})\/(i-[0-9a-f]{8,17})$/.exec(text) ?? []
  return region === undefined || id === undefined ? undefined : { region, id }
}

/** A spot machine is given this long from its notice on. */
const NOTICE_MS = 120_000

/** An entry of a list of machines, with the request of one that was bought as spot. */
export function machineOf(
  instance: Ec2Instance,
  {
    region,
    request,
    settings,
  }: {
    readonly region: string
    readonly request: SpotInstanceRequest | undefined
    readonly settings: Pick<AwsSettings, 'reach'>
  },
): CloudMachine {
  const tags = instance.Tags ?? []
  const parts = tags.flatMap(({ Key = '', Value = '' }) => (Key.startsWith(NOTE) ? [Value] : []))
  const text = readTextParts(parts)
  // Machines of a gang carry the same note, and each has its number.
  const note = text === undefined ? undefined : (readNoteText(text) ?? readGangNote(text, instance.AmiLaunchIndex ?? 0))
  const state = STATES[instance.State?.Name ?? ''] ?? 'unclear'
  const host = settings.reach === 'public' ? instance.PublicIpAddress : instance.PrivateIpAddress
  const exit = state === 'ended' ? exitOf(instance, request) : undefined
  const endsAtMs = state === 'up' ? endsAt(request) : undefined
  return {
    id: machineId(region, instance.InstanceId ?? ''),
    name: tags.find(({ Key }) => Key === 'Name')?.Value ?? '',
    note,
    state,
    ...(exit !== undefined && { exit }),
    ...(endsAtMs !== undefined && { endsAtMs }),
    ...(host !== undefined &&
      host !== '' && {
        ports: new Map((note?.ports ?? []).map(({ port }) => [port, { host, port, tls: false }])),
        address: host,
      }),
    // Stopped, and its disk is still paid for.
    lingers: instance.State?.Name === 'stopped',
  }
}

/** That a machine is being ended does not mean that it has ended. */
const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  pending: 'starting',
  running: 'up',
  'shutting-down': 'unclear',
  terminated: 'ended',
  stopping: 'unclear',
  stopped: 'ended',
}

/** `Server.SpotInstanceTermination: …`: why it ended, where EC2 says more than that somebody ended it. */
function exitOf({ StateReason }: Ec2Instance, request: SpotInstanceRequest | undefined): Exit | undefined {
  const { Code: code = '', Message: words = '' } = StateReason ?? {}
  if (
    code.startsWith('Server.Spot') ||
    /^instance-terminated-(?:by-price|no-capacity|capacity|launch)/.test(request?.Status?.Code ?? '')
  )
    return { kind: 'preempted' }
  if (
    code === 'Server.InsufficientInstanceCapacity' ||
    code === 'Client.InternalError' ||
    /Volume|Encrypt|KMS/i.test(code)
  )
    return { kind: 'start', why: `${code}: ${words}`.slice(0, 300) }
  return code.startsWith('Server.') ? { kind: 'machine' } : undefined
}

function endsAt(request: SpotInstanceRequest | undefined): number | undefined {
  const { Code, UpdateTime } = request?.Status ?? {}
  if (Code !== 'marked-for-termination' && Code !== 'marked-for-stop') return undefined
  return UpdateTime === undefined ? undefined : UpdateTime.getTime() + NOTICE_MS
}
