import { expect, test } from 'vitest'
import { typeOf, settingsOf } from './make.suite.ts'
import { offersOf, type AwsRegion } from './offers.ts'

const H100 = { Name: 'H100', Count: 8, mib: 81_559 }
const L4 = { Name: 'L4', Count: 1, mib: 22_888 }
const at = (InstanceType: string, ...zones: readonly string[]) =>
  // Proven: a name of a type is one, whether the SDK knows it or not.
  zones.map((Location) => ({ InstanceType: InstanceType as 'p5.48xlarge', Location }))

const REGION: AwsRegion = {
  region: 'us-east-1',
  types: [typeOf('p5.48xlarge', H100), typeOf('g6.xlarge', L4, { VCpuInfo: { DefaultVCpus: 4 } })],
  offerings: [...at('p5.48xlarge', 'us-east-1a', 'us-east-1e'), ...at('g6.xlarge', 'us-east-1a', 'us-east-1b')],
  zones: new Set(['us-east-1a', 'us-east-1b']),
  prices: new Map([['p5.48xlarge', 55.04]]),
  spot: [
    { InstanceType: 'p5.48xlarge', AvailabilityZone: 'us-east-1a', SpotPrice: '30.1', Timestamp: new Date(1000) },
    { InstanceType: 'p5.48xlarge', AvailabilityZone: 'us-east-1a', SpotPrice: '22.5', Timestamp: new Date(2000) },
    { InstanceType: 'g6.xlarge', AvailabilityZone: 'us-east-1b', SpotPrice: '0.31', Timestamp: new Date(2000) },
  ],
  quotas: [],
  running: [],
}

const offers = (change: Partial<AwsRegion> = {}) =>
  offersOf({ ...REGION, ...change }, { provider: 'rented', settings: settingsOf() })

test('a machine is offered in each zone that has it and a subnet, at the prices of this moment', () => {
  const told = offers().map(({ instance, zone, usdPerHour, spotUsdPerHour }) => [
    instance,
    zone,
    usdPerHour,
    spotUsdPerHour,
  ])
  expect(told).toEqual([
    ['p5.48xlarge', 'us-east-1a', 55.04, 22.5],
    ['g6.xlarge', 'us-east-1a', undefined, undefined],
    ['g6.xlarge', 'us-east-1b', undefined, 0.31],
  ])
})

test('cards, memory and place are told in our words', () => {
  expect(offers()[0]).toMatchObject({
    gpu: { model: 'h100-sxm', count: 8, link: 'nvswitch' },
    cpu: 192,
    memoryGib: 2048,
    hostArch: 'amd64',
    residency: 'us',
    trust: 'secure-cloud',
    inbound: false,
    quarantine: undefined,
    quotaLeft: undefined,
    stock: undefined,
  })
})

test('what no container gets, or only a part of, is not offered', () => {
  const types = [
    typeOf('g4ad.xlarge', { Name: 'Radeon Pro V520', Count: 1, mib: 8192, Manufacturer: 'AMD' }),
    typeOf('g6f.xlarge', { Name: 'L4', Count: 0, mib: 5722 }),
    typeOf('trn2.48xlarge', undefined, { NeuronInfo: {} }),
    typeOf('g9.xlarge', L4, { ProcessorInfo: { SupportedArchitectures: ['x86_64_mac'] } }),
  ]
  const offerings = types.flatMap(({ InstanceType = '' }) => at(InstanceType, 'us-east-1a'))
  expect(offers({ types, offerings })).toEqual([])
})

test('a machine that is sold in blocks only has no price on these terms', () => {
  const types = [typeOf('p5.48xlarge', H100, { SupportedUsageClasses: ['capacity-block'] })]
  expect(offers({ types })).toMatchObject([{ usdPerHour: undefined, spotUsdPerHour: undefined }])
})

test('what is left of a quota is counted in machines', () => {
  const quotas = [
    { name: 'Running On-Demand P instances', vcpus: 400 },
    { name: 'All P5 Spot Instance Requests', vcpus: 0 },
  ]
  expect(offers({ quotas })[0]?.quotaLeft).toBe(2)
})
