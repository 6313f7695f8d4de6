import type { InstanceTypeInfo } from '@aws-sdk/client-ec2'
import type { Order } from '../../core/life/call/order.ts'
import type { CloudStart } from '../cloud/api.ts'
import { noteOf } from '../cloud/note.ts'
import { awsSettings, type AwsSettings } from './settings.ts'

export function settingsOf(more: Readonly<Record<string, unknown>> = {}): AwsSettings {
  return awsSettings.parse({ regions: ['us-east-1'], ...more })
}

export function startOf(change: Partial<Order> = {}, env: Readonly<Record<string, string>> = {}): CloudStart {
  const order: Order = {
    tag: { owner: 'o1', project: 'p', workload: 'w', uid: 'u', slot: '0', epoch: 1, attempt: 'a1' },
    place: {
      offer: 'x',
      provider: 'aws',
      region: 'us-east-1',
      zone: 'us-east-1a',
      instance: 'g6.xlarge',
      market: 'on-demand',
      node: undefined,
    },
    image: 'registry.example/work:1',
    command: [],
    args: [],
    env: {},
    secrets: [],
    ports: [],
    storage: [],
    cpu: undefined,
    memoryGib: undefined,
    diskGib: undefined,
    gpus: 1,
    usdPerHourMax: 1.25,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
    ...change,
  }
  return { order, note: noteOf(order), env }
}

/** A type as EC2 describes it, with these cards. */
export function typeOf(
  name: string,
  gpu:
    | { readonly Name: string; readonly Count: number; readonly mib: number; readonly Manufacturer?: string }
    | undefined,
  more: Partial<InstanceTypeInfo> = {},
): InstanceTypeInfo {
  return {
    // Proven: a name of a type is one, whether the SDK knows it or not.
    InstanceType: name as NonNullable<InstanceTypeInfo['InstanceType']>,
    SupportedUsageClasses: ['on-demand', 'spot'],
    ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
    VCpuInfo: { DefaultVCpus: 192 },
    MemoryInfo: { SizeInMiB: 2_097_152 },
    ...(gpu !== undefined && {
      GpuInfo: {
        Gpus: [
          {
            Name: gpu.Name,
            Manufacturer: gpu.Manufacturer ?? 'NVIDIA',
            Count: gpu.Count,
            MemoryInfo: { SizeInMiB: gpu.mib },
          },
        ],
      },
    }),
    ...more,
  }
}
