import { gunzipSync } from 'node:zlib'
import type { Instance, SecurityGroup } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import type { CloudStart } from '../../cloud/api.ts'
import { gangNoteText, readGangNote } from '../../cloud/note.ts'
import { NOTE } from '../launch.ts'
import { machineOf } from '../machines.ts'
import { settingsOf, startOf } from '../make.suite.ts'
import { gangTold, machinesOf } from './launch.ts'
import { efaOf, whyNoGang } from './network.ts'
import { introductions, peerTags } from './peers.ts'

const SETTINGS = settingsOf({ security_groups: ['sg-1'] })
const HOSTS = ['g-0.berth.internal', 'g-1.berth.internal', 'g-2.berth.internal']

function gang(uid = 'u'): readonly CloudStart[] {
  return HOSTS.map((_, rank) => {
    const tag = { ...startOf().order.tag, uid, slot: `0.${rank}`, attempt: `a${rank}` }
    const meeting = { hosts: HOSTS, port: 29_500 }
    return startOf({ tag, nodes: HOSTS.length, meeting }, { RANK: `${rank}` })
  })
}

/** What EC2 shows of a gang: the same tags on each machine, and a number. */
function listed(starts: readonly CloudStart[], more: (index: number) => Partial<Instance> = () => ({})): Instance[] {
  const notes = gangTold(starts, SETTINGS)?.notes ?? []
  return starts.map((_, index) => ({
    InstanceId: `i-0000000000000000${index}`,
    AmiLaunchIndex: index,
    PrivateIpAddress: `10.0.0.${index + 4}`,
    State: { Name: 'running' },
    Tags: notes.map((Value, part) => ({ Key: `${NOTE}${part}`, Value })),
    ...more(index),
  }))
}

test('every machine of a gang carries all notes, and its number says which is its own', () => {
  const starts = gang()
  const settings = { reach: 'public' } as const
  const found = listed(starts).map(
    (each) => machineOf(each, { region: 'us-east-1', request: undefined, settings }).note,
  )
  expect(found).toEqual(starts.map(({ note }) => note))
  expect(
    machineOf({ ...listed(starts)[0], AmiLaunchIndex: 9 }, { region: 'r', request: undefined, settings }).note,
  ).toBe(undefined)
})

test('notes of different workloads are no note of a gang', () => {
  const [one] = gang()
  const [two] = gang('other')
  expect(gangNoteText([one, two].flatMap((start) => start?.note ?? []))).toBe(undefined)
  expect(readGangNote('[2,[["a"]]]', 0)).toBe(undefined)
  expect(readGangNote('[1,2', 0)).toBe(undefined)
})

test('one request starts as many machines as the gang has members, in one subnet, close to each other', () => {
  const starts = gang()
  const told = gangTold(starts, SETTINGS)
  if (told === undefined || starts[0] === undefined) throw new Error('it fits')
  const spot = { subnet: 'subnet-1', image: 'ami-1', efa: 0, group: 'berth-1' }
  const plain = machinesOf(starts[0], { told, spot, settings: SETTINGS, count: 3 })
  expect(plain).toMatchObject({ MinCount: 3, MaxCount: 3, SubnetId: 'subnet-1', SecurityGroupIds: ['sg-1'] })
  expect(plain).toMatchObject({
    Placement: { GroupName: 'berth-1' },
    MetadataOptions: { InstanceMetadataTags: 'enabled' },
  })
  expect(plain.NetworkInterfaces).toBe(undefined)
  const fast = machinesOf(starts[0], { told, spot: { ...spot, efa: 2 }, settings: SETTINGS, count: 3 })
  expect(fast.SubnetId).toBe(undefined)
  expect(fast.NetworkInterfaces).toMatchObject([
    { InterfaceType: 'efa', NetworkCardIndex: 0, DeviceIndex: 0, SubnetId: 'subnet-1', Groups: ['sg-1'] },
    { InterfaceType: 'efa-only', NetworkCardIndex: 1, DeviceIndex: 1, SubnetId: 'subnet-1', Groups: ['sg-1'] },
  ])
  // Each member finds its own environment in what all are told.
  const data = gunzipSync(Buffer.from(told.data, 'base64')).toString('utf8')
  const files: readonly { path: string; content: string }[] = JSON.parse(
    data.replace('#cloud-config\n', ''),
  ).write_files
  const work = JSON.parse(atob(files.find(({ path }) => path.endsWith('work.json'))?.content ?? ''))
  const members: readonly { attempt: string; create: { Env: unknown; HostConfig: object } }[] = work.gang.members
  expect(members.map(({ attempt, create }) => [attempt, create.Env])).toEqual(
    starts.map(({ order }, rank) => [order.tag.attempt, [`RANK=${rank}`]]),
  )
  expect(members[1]?.create.HostConfig).toMatchObject({ NetworkMode: 'host' })
  expect(members[1]?.create.HostConfig).not.toHaveProperty('PortBindings')
})

test('what does not fit is not sent', () => {
  const noise = Array.from({ length: 3000 }, () => Math.random().toString(36)).join('')
  expect(
    gangTold(
      gang().map((start) => ({ ...start, env: { NOISE: noise } })),
      SETTINGS,
    ),
  ).toBe(undefined)
})

test('addresses are told in as few tags as hold them', () => {
  expect(peerTags(['10.0.0.4', '10.0.0.5'])).toEqual([{ Key: 'berth-peers-0', Value: '1:10.0.0.4,10.0.0.5' }])
  const many = Array.from({ length: 64 }, (_, index) => `10.100.200.${index + 100}`)
  const tags = peerTags(many)
  expect(tags.every(({ Value }) => Value.length <= 255)).toBe(true)
  expect(
    tags
      .map(({ Value }) => Value.replace(/^\d+:/, ''))
      .join(',')
      .split(','),
  ).toEqual(many)
  expect(tags[0]?.Value.startsWith(`${tags.length}:`)).toBe(true)
})

test('a gang is introduced once, when all of it is there and has addresses', () => {
  const starts = gang()
  const whole = listed(starts)
  expect(introductions(whole.toReversed())).toEqual([
    { ids: whole.map(({ InstanceId }) => InstanceId), tags: peerTags(['10.0.0.4', '10.0.0.5', '10.0.0.6']) },
  ])
  expect(introductions(whole.slice(1))).toEqual([])
  expect(
    introductions(whole.map((each, index) => (index === 1 ? { ...each, State: { Name: 'terminated' } } : each))),
  ).toEqual([])
  expect(introductions(whole.map((each) => ({ ...each, PrivateIpAddress: '' })))).toEqual([])
  const told = whole.map((each) => ({ ...each, Tags: [...(each.Tags ?? []), ...peerTags(['a'])] }))
  expect(introductions(told)).toEqual([])
  // Machines that are alone are no gang.
  expect(introductions([{ InstanceId: 'i-1', State: { Name: 'running' } }])).toEqual([])
})

const all = (group: string) => [{ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: group }] }]
const closed: SecurityGroup = { GroupId: 'sg-1', IpPermissions: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22 }] }

test('a network in which members could not meet is refused with the rule that is missing', () => {
  expect(whyNoGang([closed], { efa: 0 })).toContain('(sg-1) has a rule that lets in all traffic from the group itself')
  expect(whyNoGang([], { efa: 0 })).toContain('(none)')
  const open = { ...closed, IpPermissions: all('sg-1') }
  expect(whyNoGang([open], { efa: 0 })).toBe(undefined)
  expect(whyNoGang([open], { efa: 4 })).toContain('set efa: false')
  expect(whyNoGang([{ ...open, IpPermissionsEgress: all('sg-1') }], { efa: 4 })).toBe(undefined)
  // A rule for another group does not help, one for another group of the same machines does.
  expect(whyNoGang([{ ...closed, IpPermissions: all('sg-2') }], { efa: 0 })).toContain('sg-1')
  expect(whyNoGang([{ ...closed, IpPermissions: all('sg-2') }, { GroupId: 'sg-2' }], { efa: 0 })).toBe(undefined)
})

test('EFA is used where the machine has it: on one card with a public address, on all with a private one', () => {
  const type = { NetworkInfo: { EfaSupported: true, EfaInfo: { MaximumEfaInterfaces: 32 } } }
  expect(efaOf(type, { efa: true, reach: 'public' })).toBe(1)
  expect(efaOf(type, { efa: true, reach: 'private' })).toBe(32)
  expect(efaOf(type, { efa: false, reach: 'private' })).toBe(0)
  expect(efaOf({}, { efa: true, reach: 'private' })).toBe(0)
})
