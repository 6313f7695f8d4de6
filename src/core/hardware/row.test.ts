import { expect, test } from 'vitest'
import { gpu } from './row.ts'

const BARE = { id: 'x1', vendor: 'nvidia', name: 'X1', arch: 'hopper', vramGib: 80 } as const

test('what a row leaves out is unknown, except that the card is its own family, alone and uncut', () => {
  expect(gpu(BARE)).toEqual({
    id: 'x1',
    family: 'x1',
    vendor: 'nvidia',
    name: 'X1',
    arch: 'hopper',
    target: undefined,
    form: undefined,
    vramGib: 80,
    vramMib: undefined,
    vramMibSeen: [],
    memoryGbps: undefined,
    fp16Tflops: undefined,
    link: 'none',
    linkGbps: undefined,
    switchFrom: undefined,
    mig: [],
    driverMin: undefined,
    driverMax: undefined,
    cudaMin: undefined,
    cudaMax: undefined,
    hostArch: undefined,
    pcieGen: undefined,
    aliases: [],
    soldAs: [],
    unverified: [],
  })
})

test('what a row says is kept, and its lists are cut apart', () => {
  const row = {
    ...BARE,
    family: 'x',
    target: '9.0',
    form: 'sxm',
    vramMib: 81559,
    vramMibSeen: [81920],
    memoryGbps: 3350,
    fp16Tflops: 989,
    link: 'nvlink',
    linkGbps: 900,
    switchFrom: 8,
    driverMin: '525.53',
    driverMax: '580',
    cudaMin: '11.8',
    cudaMax: '12',
    hostArch: 'arm64',
    pcieGen: 5,
  } as const
  const lists = {
    mig: '1g.10gb x7, 7g.80gb x1',
    aliases: 'X 1 |  NVIDIA X1|',
    soldAs: 'aws:x.large=1  gcp:*',
    unverified: 'vramMib link',
  }
  expect(gpu({ ...row, ...lists })).toEqual({
    ...row,
    mig: [
      { name: '1g.10gb', gib: 10, max: 7 },
      { name: '7g.80gb', gib: 80, max: 1 },
    ],
    aliases: ['X 1', 'NVIDIA X1'],
    soldAs: ['aws:x.large=1', 'gcp:*'],
    unverified: ['vramMib', 'link'],
  })
})

test.each(['1g.10gb', 'a1g.10gb x7', '1g.10gb x7 or so', 'g.10gb x7', '1g.gb x7'])(
  'the profile "%s" is a bug in the table',
  (mig) => {
    expect(() => gpu({ ...BARE, mig })).toThrow(`"${mig}" is no MIG profile with its count`)
  },
)
