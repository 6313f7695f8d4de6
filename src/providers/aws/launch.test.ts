import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readNoteParts } from '../cloud/note.ts'
import { fleetOf, NOTE, templateOf, userDataOf } from './launch.ts'
import { settingsOf, startOf } from './make.suite.ts'

const SPOT = { subnets: ['subnet-1', 'subnet-2'], arch: 'x86_64' } as const

function fleet(start = startOf(), more: Readonly<Record<string, unknown>> = {}) {
  return fleetOf(start, { template: 'lt-1', data: 'ZGF0YQ==', spot: SPOT, settings: settingsOf(more) })
}

test('a fleet is one machine of one type, now or never, in each subnet of the zone', () => {
  const {
    Type,
    TargetCapacitySpecification,
    LaunchTemplateConfigs: [config] = [],
    OnDemandOptions,
    SpotOptions,
  } = fleet()
  expect({ Type, TargetCapacitySpecification }).toEqual({
    Type: 'instant',
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
  })
  expect([OnDemandOptions !== undefined, SpotOptions !== undefined]).toEqual([true, false])
  expect(config?.LaunchTemplateSpecification).toMatchObject({ LaunchTemplateId: 'lt-1', Version: '1' })
  expect(config?.Overrides).toEqual(
    ['subnet-1', 'subnet-2'].map((SubnetId) => ({
      InstanceType: 'g6.xlarge',
      SubnetId,
      ImageId: 'resolve:ssm:/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id',
    })),
  )
})

test('spot is bought with the agreed price as its most, and an image is named by its id where that was set', () => {
  const place = { ...startOf().order.place, market: 'spot' as const }
  const { LaunchTemplateConfigs: [config] = [], SpotOptions } = fleet(startOf({ place }), {
    image: 'ami-0123456789abcdef0',
  })
  expect(SpotOptions).toMatchObject({ InstanceInterruptionBehavior: 'terminate' })
  expect(config?.Overrides?.[0]).toMatchObject({ MaxPrice: '1.25000', ImageId: 'ami-0123456789abcdef0' })
})

test('the whole tag is on the machine from the beginning', () => {
  const start = startOf()
  const tags = fleet(start).TagSpecifications?.find(({ ResourceType }) => ResourceType === 'instance')?.Tags ?? []
  const parts = tags.flatMap(({ Key = '', Value = '' }) => (Key.startsWith(NOTE) ? [Value] : []))
  expect(readNoteParts(parts)?.tag).toEqual(start.order.tag)
  expect(tags.every(({ Value = '' }) => Value.length <= 256)).toBe(true)
})

test('the same attempt has the same token and another one has another', () => {
  const other = startOf({ tag: { ...startOf().order.tag, attempt: 'a2' } })
  expect(fleet().ClientToken).toBe(fleet().ClientToken)
  expect(fleet().ClientToken).not.toBe(fleet(other).ClientToken)
  expect(fleet().ClientToken?.length).toBeLessThanOrEqual(64)
})

test('a template has no secret in it, and closes the metadata service to the container', () => {
  const start = startOf({ diskGib: 500.5 }, { TOKEN: 'canary-1' })
  const template = templateOf(
    start,
    settingsOf({ security_groups: ['sg-1'], key_name: 'ops', instance_profile: 'worker' }),
  )
  expect(JSON.stringify(template)).not.toContain('canary-1')
  expect(template.LaunchTemplateName).toMatch(/^[\w.-]{3,128}$/)
  expect(template.LaunchTemplateData).toMatchObject({
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    InstanceInitiatedShutdownBehavior: 'terminate',
    SecurityGroupIds: ['sg-1'],
    KeyName: 'ops',
    IamInstanceProfile: { Name: 'worker' },
    BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { VolumeSize: 501, DeleteOnTermination: true } }],
  })
})

test('the data of a machine is cloud-init, packed; what does not fit is not sent', () => {
  const packed = userDataOf(startOf({}, { A: 'x'.repeat(60_000) }), settingsOf())
  expect(gunzipSync(Buffer.from(packed ?? '', 'base64')).toString('utf8')).toMatch(/^#cloud-config\n/)
  const noise = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 0x9e3779b1).toString(36)).join('')
  expect(userDataOf(startOf({}, { A: noise }), settingsOf())).toBeUndefined()
})
