import { describe, expect, test } from 'vitest'
import type { RowVerdict } from '../../core/offer/offer.ts'
import { importSkypilot } from './skypilot.ts'

const HEADER =
  'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone'

function rowsOf(cloud: string, ...lines: readonly string[]): readonly RowVerdict[] {
  return importSkypilot([{ cloud, text: [HEADER, ...lines, ''].join('\n') }]).rows
}

/** `2 × l4 on g2-standard-24 for 2 / 0.9, repaired HOST_JOINED` */
function brief({ verdict, repairs, quarantine, offer }: RowVerdict): string {
  const { gpu, instance, usdPerHour, spotUsdPerHour } = offer
  const part = gpu?.slice === undefined ? '' : ` (${gpu.slice.profile ?? gpu.slice.kind} ${gpu.slice.gib})`
  const cards = gpu === undefined ? 'no card' : `${gpu.count} × ${gpu.model}${part}`
  const codes = [verdict, ...(quarantine === undefined ? repairs : [quarantine])].join(' ')
  return `${cards} on ${instance} for ${usdPerHour ?? '-'} / ${spotUsdPerHour ?? '-'}, ${codes}`
}

const card = (name: string, mib: number) => `"{'Gpus': [{'Name': '${name}', 'MemoryInfo': {'SizeInMiB': ${mib}}}]}"`

describe('a row', () => {
  test('becomes one verdict and one offer with both prices', () => {
    const [row] = rowsOf('aws', `g6.xlarge,L4,1.0,4.0,16.0,${card('L4', 22888)},0.8048,0.3,us-east-1,use1-az1`)
    expect(row).toEqual({
      source: 'aws/vms.csv',
      line: 2,
      accelerator: true,
      verdict: 'resolved',
      repairs: [],
      quarantine: undefined,
      note: undefined,
      named: 'L4',
      offer: {
        id: 'aws/us-east-1/use1-az1/g6.xlarge',
        provider: 'aws',
        region: 'us-east-1',
        zone: 'use1-az1',
        instance: 'g6.xlarge',
        capacity: 'rented',
        gpu: { model: 'l4', count: 1, slice: undefined, link: 'pcie' },
        cpu: 4,
        memoryGib: 16,
        diskGib: undefined,
        volumeGib: undefined,
        hostArch: 'amd64',
        driver: undefined,
        cuda: undefined,
        inbound: undefined,
        domain: undefined,
        usdPerHour: 0.8048,
        spotUsdPerHour: 0.3,
        stock: undefined,
        quotaLeft: undefined,
        health: undefined,
        startSeconds: undefined,
        reliability: undefined,
        egressUsdPerGib: undefined,
        residency: 'us',
        trust: undefined,
        quarantine: undefined,
      },
    })
  })

  test('without a card is a machine without one', () => {
    const [row] = rowsOf('aws', 'm7g.large,,,2.0,8.0,,0.08,,eu-west-1,euw1-az1')
    expect(row).toMatchObject({
      accelerator: false,
      verdict: 'resolved',
      named: 'm7g.large',
      offer: { gpu: undefined, hostArch: 'arm64', residency: 'eu', usdPerHour: 0.08, spotUsdPerHour: undefined },
    })
  })

  test('without a price on any terms is quarantined, with or without a card', () => {
    const rows = rowsOf(
      'aws',
      'm7i.large,,,2,8,,,,us-east-1,z',
      `g6.xlarge,L4,1,4,16,${card('L4', 22888)},,0.00,us-east-1,z`,
    )
    expect(rows.map(brief)).toEqual([
      'no card on m7i.large for - / -, quarantined PRICE_MISSING',
      'no card on g6.xlarge for - / -, quarantined PRICE_MISSING',
    ])
    expect(rows.map(({ offer }) => offer.quarantine)).toEqual(['PRICE_MISSING', 'PRICE_MISSING'])
  })

  test('without a region is in an unknown one, and has no residency', () => {
    const [row] = rowsOf('seeweb', `ECS1GPU11,A30,1,8,32,${card('A30', 24576)},0.29,,,`)
    expect(row?.offer).toMatchObject({ id: 'seeweb/unknown/ECS1GPU11', region: 'unknown', zone: undefined })
    expect(row?.offer.residency).toBeUndefined()
  })

  test('of a superchip has an arm64 host, whatever the cloud has otherwise', () => {
    const [row] = rowsOf('lambda', `gpu_1x_gh200,GH200,1,64,432,${card('GH200', 98304)},2.29,,us-east-1,`)
    expect(row?.offer).toMatchObject({ hostArch: 'arm64', gpu: { model: 'gh200-96' } })
  })

  test('of one machine may be in whose hands it is', () => {
    const [row] = rowsOf('runpod', `1x_L4_SECURE,L4,1,8,32,${card('L4', 24)},0.49,0.49,IN,AP-IN-1`)
    expect(row).toMatchObject({
      verdict: 'repaired',
      note: 'memory read as 24 GB',
      offer: { trust: 'secure', residency: 'in' },
    })
  })

  test('is found whatever the order of the columns, and its disk too', () => {
    const text = [
      'Region,StorageGiB,GpuInfo,Price,SpotPrice,vCPUs,MemoryGiB,InstanceType,AcceleratorCount,AcceleratorName',
      `default,800,${card('NVIDIA-H100-80GB-HBM3', 81559)},1.29,,75,722,1x-H100-75-722,1,H100`,
    ].join('\r\n')
    const [row] = importSkypilot([{ cloud: 'hyperbolic', text }]).rows
    expect(row?.offer).toMatchObject({ gpu: { model: 'h100-sxm' }, diskGib: 800, cpu: 75, memoryGib: 722 })
  })

  test('keeps to its line, cards and plain machines alike', () => {
    const rows = rowsOf(
      'aws',
      'm7i.large,,,2,8,,0.1,,us-east-1,z',
      `g6.xlarge,L4,1,4,16,${card('L4', 22888)},0.8,,us-east-1,z`,
      'm7i.xlarge,,,4,16,,0.2,,us-east-1,z',
    )
    expect(rows.map(({ line, offer }) => `${line} ${offer.instance}`)).toEqual([
      '2 m7i.large',
      '3 g6.xlarge',
      '4 m7i.xlarge',
    ])
  })
})

describe('a row that cannot be read', () => {
  test('is quarantined and stops no other', () => {
    const rows = rowsOf(
      'aws',
      'm7i.large,,,2,8',
      `g6.xlarge,L4,1,4,16,"{'Gpus': [",0.8,,us-east-1,z`,
      `g6.xlarge,L4,one,4,16,${card('L4', 22888)},0.8,,us-east-1,z`,
      'm7i.large,,,2,8,,cheap,,us-east-1,z',
      'm7i.large,,,2,8,,0.1,,us-east-1,z',
    )
    expect(rows.map(({ quarantine, note }) => `${quarantine} ${note}`)).toEqual([
      'ROW_UNREADABLE too many or too few fields',
      'ROW_UNREADABLE GpuInfo cannot be parsed',
      'ROW_UNREADABLE AcceleratorCount is not a number',
      'ROW_UNREADABLE Price is not a number',
      'undefined undefined',
    ])
    expect(rows.map(({ accelerator }) => accelerator)).toEqual([false, true, true, false, false])
  })

  test('has nothing that was read from it but names', () => {
    const [row] = rowsOf('aws', `g6.xlarge,L4,1,4,16,${card('L4', 22888)},Infinity,0.1,us-east-1,z`)
    expect(row?.offer).toMatchObject({ instance: 'g6.xlarge', quarantine: 'ROW_UNREADABLE' })
    expect([row?.offer.cpu, row?.offer.memoryGib, row?.offer.spotUsdPerHour, row?.offer.gpu]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('may have two kinds of card', () => {
    const [row] = rowsOf('aws', `x,L4,2,4,16,"{'Gpus': [{'Name': 'L4'}, {'Name': 'T4'}]}",0.8,,us-east-1,z`)
    expect(row).toMatchObject({ quarantine: 'NAME_AMBIGUOUS', note: 'more than one kind of card' })
  })
})

describe('a catalogue that sums up', () => {
  test('shows its habit, which settles the rows that could be read both ways', () => {
    const rows = rowsOf(
      'vast',
      `2x-Tesla_V100-32-65536,V100,2,32,64,${card('V100', 32768)},0.35,0.00,"Denmark, DK, EU",`,
      `4x-RTX_3090-32-65536,RTX3090,4,32,64,${card('RTX3090', 98304)},0.64,0.00,"Denmark, DK, EU",`,
    )
    expect(rows.map(brief)).toEqual([
      '2 × v100-16 on 2x-Tesla_V100-32-65536 for 0.35 / -, repaired VRAM_TOTAL_AS_CARD',
      '4 × rtx-3090 on 4x-RTX_3090-32-65536 for 0.64 / -, repaired VRAM_TOTAL_AS_CARD',
    ])
  })

  test('is not believed on the word of a single row', () => {
    const rows = rowsOf('vast', `2x-Tesla_V100-32-65536,V100,2,32,64,${card('V100', 32768)},0.35,,X,`)
    expect(rows.map(brief)).toEqual(['no card on 2x-Tesla_V100-32-65536 for 0.35 / -, quarantined NAME_AMBIGUOUS'])
  })
})

const gcp = (...lines: readonly string[]) => rowsOf('gcp', ...lines).map(brief)
const host = (name: string, price: string, zone = 'z') => `${name},,,12,85,,${price},us-central1,${zone}`
const cards = (name: string, count: number, rest: string) => `,${name},${count},,,"{'Gpus': [${rest}`
const mib = (size: number, price: string, zone = 'z') =>
  `{'MemoryInfo': {'SizeInMiB': ${size}}}]}",${price},us-central1,${zone}`
const tpu = (chips: number, usd: number, zone: string) =>
  `,tpu-v6e-${chips},1,,,tpu-v6e-${chips},${usd},${usd},r,${zone}`

describe('cards and hosts that are priced apart', () => {
  test('are one offer at the sum of both prices, and the host is not sold alone', () => {
    const rows = rowsOf('gcp', host('a2-highgpu-1g', '0.74,0.43'), cards('A100', 1, mib(40960, '2.93,1.66')))
    expect(rows.map(brief)).toEqual([
      'no card on a2-highgpu-1g for 0.74 / 0.43, quarantined NOT_SOLD_ALONE',
      '1 × a100-40-sxm on a2-highgpu-1g for 3.67 / 2.09, repaired HOST_JOINED',
    ])
    expect(rows[1]).toMatchObject({
      named: 'A100',
      accelerator: true,
      note: 'price of cards and host together',
      offer: { cpu: 12, memoryGib: 85, hostArch: 'amd64' },
    })
    expect(rows[0]).toMatchObject({ accelerator: false, note: 'the price is for the host only' })
  })

  test('add up without the noise of binary fractions', () => {
    expect(gcp(host('a2-highgpu-1g', '0.1,'), cards('A100', 1, mib(40960, '0.2,'))).at(-1)).toContain('for 0.3 / -')
  })

  test('are attached to hosts that are sold without them too', () => {
    expect(gcp(host('n1-standard-8', '0.38,0.08'), cards('T4', 2, mib(16384, '0.7,0.3')))).toEqual([
      'no card on n1-standard-8 for 0.38 / 0.08, resolved',
      '2 × t4 on n1-standard-8 + 2 × T4 for 1.08 / 0.38, repaired HOST_JOINED',
    ])
  })

  test('can be had with larger hosts, too, which are variants of the row and not rows', () => {
    const lines = [
      'n1-standard-8,,,8,30',
      'n1-standard-16,,,16,60',
      'n1-highmem-16,,,16,104',
      'n1-standard-64,,,64,240',
    ]
    const hosts = lines.map((line, index) => `${line},,${0.38 * (index + 1)},,us-central1,z`)
    const rows = rowsOf(
      'gcp',
      'n1-standard-4,,,4,15,,0.19,,us-central1,z',
      ...hosts,
      cards('T4', 2, mib(16384, '0.7,')),
    )
    expect(rows).toHaveLength(6)
    expect(rows.at(-1)).toMatchObject({ offer: { instance: 'n1-standard-8 + 2 × T4', cpu: 8, usdPerHour: 1.08 } })
    // Two T4s can be attached to at most 48 CPUs; a smaller host than the usual one is left out.
    expect(rows.map(({ variants }) => variants?.length)).toEqual([...Array(5).fill(undefined), 2])
    expect(rows.at(-1)?.variants).toMatchObject([
      { id: 'gcp/us-central1/z/n1-highmem-16 + 2 × T4', cpu: 16, memoryGib: 104, usdPerHour: 1.84 },
      { id: 'gcp/us-central1/z/n1-standard-16 + 2 × T4', cpu: 16, memoryGib: 60, usdPerHour: 1.46 },
    ])
    expect(rows.at(-1)?.variants?.map(({ gpu }) => gpu)).toEqual(Array(2).fill(rows.at(-1)?.offer.gpu))
  })

  test('have no variants where the row cannot be believed, or where the host has no price', () => {
    const hosts = ['n1-standard-8,,,8,30,,0.38,,us-central1,z', 'n1-standard-16,,,16,60,,0.76,,us-central1,z']
    expect(rowsOf('gcp', ...hosts, cards('T4', 2, mib(16384, ','))).at(-1)?.variants).toBeUndefined()
    const spotOnly = ['n1-standard-8,,,8,30,,0.38,,us-central1,z', 'n1-standard-16,,,16,60,,,,us-central1,z']
    expect(rowsOf('gcp', ...spotOnly, cards('T4', 2, mib(16384, '0.7,'))).at(-1)?.variants).toBeUndefined()
  })

  test('are sold on the terms on which both are', () => {
    expect(gcp(host('a3-ultragpu-8g', '12,6'), cards('H200', 8, mib(144384, ',40'))).at(-1)).toBe(
      '8 × h200-sxm on a3-ultragpu-8g for - / 46, repaired HOST_JOINED',
    )
    expect(gcp(host('a3-ultragpu-8g', '12,'), cards('H200', 8, mib(144384, '70,40'))).at(-1)).toContain('for 82 / -')
    expect(gcp(host('a3-ultragpu-8g', '12,0.0'), cards('H200', 8, mib(144384, '70,40'))).at(-1)).toContain('82 / -')
    expect(gcp(host('a3-ultragpu-8g', '12,'), cards('H200', 8, mib(144384, ',40'))).at(-1)).toContain('PRICE_MISSING')
  })

  test('may have the host in the price of the cards', () => {
    expect(gcp(host('a4-highgpu-8g', '0.0,0.0'), cards('B200', 8, mib(184320, '90,40')))).toEqual([
      'no card on a4-highgpu-8g for - / -, quarantined NOT_SOLD_ALONE',
      '8 × b200-sxm on a4-highgpu-8g for 90 / 40, repaired HOST_JOINED',
    ])
  })

  test('need a host in the same zone, and a host that is known to carry them', () => {
    const rows = rowsOf(
      'gcp',
      host('a2-highgpu-1g', '0.74,0.43', 'other'),
      cards('A100', 1, mib(40960, '2.93,1.66')),
      cards('A100', 3, mib(40960, '2.93,1.66')),
    )
    expect(rows.slice(1).map((row) => `${brief(row)}: ${row.note}`)).toEqual([
      'no card on a2-highgpu-1g for 2.93 / 1.66, quarantined HOST_NOT_PRICED: no a2-highgpu-1g in this zone',
      'no card on 3 × A100 for 2.93 / 1.66, quarantined HOST_NOT_PRICED: no known machine has these cards',
    ])
  })

  test('must be known in the first place', () => {
    expect(gcp(',FPGA-9,1,,,FPGA-9,1,,us-central1,z', ',,,,,FPGA-9,1,,us-central1,z')).toEqual([
      'no card on 1 × FPGA-9 for 1 / -, quarantined NAME_UNKNOWN',
      'no card on ? × unnamed card for 1 / -, quarantined NAME_UNKNOWN',
    ])
  })

  test('make offers of larger hosts with one card, too', () => {
    const lines = [host('g2-standard-8', '0.29,0.14'), cards('L4', 1, mib(24576, '0.56,0.25'))]
    const rows = rowsOf('gcp', ...lines, host('g2-standard-4', '0.15,0.07'))
    expect(rows.map(brief)).toEqual([
      '1 × l4 on g2-standard-8 for 0.85 / 0.39, repaired GPU_JOINED',
      '1 × l4 on g2-standard-4 for 0.71 / 0.32, repaired HOST_JOINED',
      'no card on g2-standard-4 for 0.15 / 0.07, quarantined NOT_SOLD_ALONE',
    ])
    expect(rows[0]).toMatchObject({ accelerator: false, named: 'g2-standard-8', offer: { cpu: 12 } })
    expect(gcp(host('g2-standard-8', '0.29,0.14'), cards('L4', 1, mib(24576, '0.56,0.25', 'other')))[0]).toBe(
      'no card on g2-standard-8 for 0.29 / 0.14, quarantined NOT_SOLD_ALONE',
    )
  })

  test('leave parts of a card alone, which have no price of their own', () => {
    expect(gcp(host('g4-standard-6', '0.42,0.14'))).toEqual([
      'no card on g4-standard-6 for 0.42 / 0.14, quarantined NOT_SOLD_ALONE',
    ])
  })

  test('take the cheaper of two equal hosts, whichever comes first', () => {
    const lines = [host('a2-highgpu-1g', '0.9,0.5'), host('a2-highgpu-1g', '0.8,0.5'), host('a2-highgpu-1g', '0.8,0.4')]
    for (const hosts of [lines, lines.toReversed()]) {
      expect(gcp(...hosts, cards('A100', 1, mib(40960, '2,1'))).at(-1)).toContain('for 2.8 / 1.4')
    }
  })

  test('concern one cloud only', () => {
    expect(rowsOf('aws', host('a2-highgpu-1g', '0.74,0.43')).map(brief)).toEqual([
      'no card on a2-highgpu-1g for 0.74 / 0.43, resolved',
    ])
  })
})

describe('a slice of a TPU pod', () => {
  test('is ordered by its own name', () => {
    const rows = rowsOf('gcp', ',tpu-v5p-128,1,,,tpu-v5p-128,268.8,80,us-central1,us-central1-a')
    expect(rows.map(brief)).toEqual(['64 × tpu-v5p on tpu-v5p-128 for 268.8 / 80, repaired VRAM_MISSING'])
    expect(rows[0]?.offer).toMatchObject({ id: 'gcp/us-central1/us-central1-a/tpu-v5p-128', hostArch: 'amd64' })
  })

  test('at one price for all sizes has no price', () => {
    const rows = rowsOf('gcp', tpu(1, 700, 'z'), tpu(4, 700, 'z'), tpu(8, 700, 'z'), tpu(256, 700, 'other'))
    expect(rows.map(({ quarantine }) => quarantine)).toEqual([
      'PRICE_PLACEHOLDER',
      'PRICE_PLACEHOLDER',
      'PRICE_PLACEHOLDER',
      undefined,
    ])
  })
})

describe('several catalogues', () => {
  test('are read in their order, each under its own name', () => {
    const text = `${HEADER}\nm,,,2,8,,0.1,,r,z\n`
    const { rows } = importSkypilot([
      { cloud: 'b', text },
      { cloud: 'a', text },
      { cloud: 'empty', text: '' },
    ])
    expect(rows.map(({ source, offer }) => `${source} ${offer.id}`)).toEqual(['b/vms.csv b/r/z/m', 'a/vms.csv a/r/z/m'])
  })

  test('give rows that share a place a number each', () => {
    const line = `p4de.24xlarge,A100-80GB,8.0,96,1152,${card('A100', 81920)},27.4,`
    const rows = rowsOf('aws', `${line}24.2,us-east-1,z`, `${line},us-east-1,z`)
    expect(rows.map(({ offer }) => offer.id)).toEqual([
      'aws/us-east-1/z/p4de.24xlarge#2',
      'aws/us-east-1/z/p4de.24xlarge',
    ])
  })
})
