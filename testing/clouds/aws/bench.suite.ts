import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Order } from '../../../src/core/life/call/order.ts'
import type { Provider } from '../../../src/ports/provider.ts'
import { awsKind } from '../../../src/providers/aws/kind.ts'
import type { Sample } from '../../../src/providers/contract/contract.suite.ts'
import { problemText, readSettings } from '../../../src/providers/settings.ts'
import { depsOf, orderOn, type CloudBench, type StillTime } from '../bench.suite.ts'
import type { Moto } from './moto.ts'
import { AwsShim } from './shim.ts'

/** EC2 as moto pretends it, behind the shim, and a provider that talks to it. */
export interface AwsBench extends CloudBench {
  readonly cloud: AwsShim
  readonly time: StillTime
}

export const SETTINGS = { regions: ['us-east-1'], types: ['g6.xlarge', 'p5.48xlarge'], internal: true, inbound: true }

/** Text of a key whose id is the one that the shim accepts. */
export function keyText(id: string): string {
  return `[default]\naws_access_key_id = ${id}\naws_secret_access_key = wJalrXUtnFEMI0123456789bPxRfiCYEXAMPLEKEY\n`
}

export async function awsBench(moto: Moto): Promise<AwsBench> {
  await moto.reset()
  const time: StillTime = { nowMs: Date.now() }
  const cloud = await AwsShim.open(moto, () => time.nowMs)
  await meetable(cloud)
  const folder = mkdtempSync(join(tmpdir(), 'berth-aws-'))
  const logged: string[] = []
  const deps = depsOf(time, { folder, key: keyText(cloud.key), logged })
  const open = async (more: Readonly<Record<string, unknown>> = {}): Promise<Provider> => {
    const read = readSettings(awsKind, { endpoint: cloud.url, ...SETTINGS, ...more })
    if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
    return awsKind.open('rented', read.settings, deps)
  }
  const provider = await open()
  let first: Omit<Order, 'tag'> | undefined
  return {
    provider,
    cloud,
    time,
    open,
    logged,
    reopen: () => open(),
    order: async (sample) => {
      first ??= await awsOrder(provider, { kind: 'long' })
      return sample.kind === 'long' ? first : awsOrder(provider, sample)
    },
    pass: async (ms) => void (time.nowMs += ms),
    cleanup: async () => {
      await cloud.close()
      rmSync(folder, { recursive: true, force: true })
      // Whatever a test did, no template is left of a launch that came to an end.
      expect(await templatesIn(cloud)).toEqual([])
    },
  }
}

/** EC2 does not look at images of containers: what is wrong everywhere is no reference at all. */
async function awsOrder(provider: Provider, sample: Sample): Promise<Omit<Order, 'tag'>> {
  const order = await orderOn(provider, sample)
  return sample.kind === 'bad' ? { ...order, image: 'not an image' } : order
}

/** As in a real account, the default group of the network lets in everything from itself; moto has no such rule. */
async function meetable(cloud: AwsShim): Promise<void> {
  const group = await defaultGroup(cloud)
  for (const action of ['AuthorizeSecurityGroupIngress', 'AuthorizeSecurityGroupEgress'])
    await cloud.ask(action, {
      GroupId: group,
      'IpPermissions.1.IpProtocol': '-1',
      'IpPermissions.1.Groups.1.GroupId': group,
    })
}

export async function defaultGroup(cloud: AwsShim): Promise<string> {
  const text = await cloud.ask('DescribeSecurityGroups', {
    'Filter.1.Name': 'group-name',
    'Filter.1.Value.1': 'default',
  })
  return /<groupId>(sg-[0-9a-f]+)</.exec(text)?.[1] ?? ''
}

/** Names of the launch templates in the account. */
export async function templatesIn(cloud: AwsShim): Promise<readonly string[]> {
  const text = await cloud.ask('DescribeLaunchTemplates')
  return [...text.matchAll(/<launchTemplateName>([^<]*)</g)].map(([, name = '']) => name)
}

/** Ids of machines that are paid for, as moto has them. */
export async function runningIn(cloud: AwsShim): Promise<readonly string[]> {
  const text = await cloud.ask('DescribeInstances', {
    'Filter.1.Name': 'instance-state-name',
    'Filter.1.Value.1': 'running',
  })
  return [...text.matchAll(/<instanceId>(i-[0-9a-f]+)</g)].map(([, id = '']) => id)
}
