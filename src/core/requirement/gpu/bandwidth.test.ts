import { describe, expect, test } from 'vitest'
import { UserError } from '../../base/problem.ts'
import { parseManifest } from '../../manifest/parse.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { atLeast } from '../need/range.ts'
import { bandwidth as key } from './bandwidth.ts'

const bandwidth = gpuFilter(key)
const NEEDS_3TB = gpuNeed({ memoryGbps: atLeast(3000) })

function card(model: string, change: Partial<GpuFacts> = {}): Machine {
  return machine({ gpu: gpu({ model, ...change }) })
}

/** What a manifest holds that writes this, or the problem with it. */
function written(text: string): unknown {
  const gpuText = `berth: v1\nkind: job\nname: w\nimage: i\nresources: { gpu: { ${text} } }\n`
  const read = readYaml(gpuText, 'w.yaml')
  if ('problems' in read) throw new UserError(read.problems)
  const parsed = parseManifest(read.document)
  if ('manifest' in parsed) return parsed.manifest.resources.gpu?.memoryGbpsMin
  return parsed.problems.map(({ code, message, hint }) => [code, message, hint].join(' | '))
}

describe('min_bandwidth', () => {
  test('a card of exactly the bandwidth asked for will do, and so will a faster one', () => {
    expect(bandwidth.check(card('h100-sxm'), gpuNeed({ memoryGbps: atLeast(3350) }), NOW_MS)).toBeUndefined()
    expect(bandwidth.check(card('h200-sxm'), NEEDS_3TB, NOW_MS)).toBeUndefined()
  })

  test('a slower card is turned down with both figures', () => {
    const reason = bandwidth.check(card('h100-pcie'), NEEDS_3TB, NOW_MS)
    expect(reason).toEqual({ code: 'BANDWIDTH_TOO_LOW', wanted: '3TB/s', found: '2TB/s' })
    expect(inWords(bandwidth, reason)).toBe('memory slower than 3TB/s; clears: never')
  })

  test('a family whose members differ is an unknown', () => {
    const reason = bandwidth.check(card('h100-80'), NEEDS_3TB, NOW_MS)
    expect(reason).toEqual({ code: 'BANDWIDTH_UNKNOWN', wanted: '3TB/s', found: undefined })
    expect(inWords(bandwidth, reason)).toBe('does not say whether its memory reaches 3TB/s; clears: never')
    expect(bandwidth.check(card('t4g'), NEEDS_3TB, NOW_MS)?.code).toBe('BANDWIDTH_UNKNOWN')
  })

  test('a MIG slice has the share of its memory; any other part of a card has none that is known', () => {
    const slice = (profile: string | undefined) => card('h100-sxm', { sharing: 'mig', profile })
    const found = (one: Machine) => bandwidth.check(one, gpuNeed({ memoryGbps: atLeast(9000) }), NOW_MS)?.found
    expect(['1g.10gb', '1g.20gb', '3g.40gb', '7g.80gb'].map((name) => found(slice(name)))).toEqual([
      '418.75GB/s',
      '837.5GB/s',
      '1.675TB/s',
      '3.35TB/s',
    ])
    expect(found(card('a30', { sharing: 'mig', profile: '2g.12gb' }))).toBe('466.5GB/s')
    expect(found(slice(undefined))).toBeUndefined()
    expect(found(card('h100-sxm', { sharing: 'share' }))).toBeUndefined()
  })

  test('it says nothing where no bandwidth, no GPU or no card is in question', () => {
    expect(bandwidth.check(card('k80'), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(bandwidth.check(card('k80'), need(), NOW_MS)).toBeUndefined()
    expect(bandwidth.check(NO_GPU_INSIDE, NEEDS_3TB, NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to the bandwidths on offer, nearest first', () => {
    expect(loosened(bandwidth, NEEDS_3TB, [card('l4'), card('a100-80-sxm'), card('h100-80')])).toEqual([
      { change: 'resources.gpu.min_bandwidth: 3TB/s -> 2.039TB/s', admits: [false, true, false] },
      { change: 'resources.gpu.min_bandwidth: 3TB/s -> 300GB/s', admits: [true, true, false] },
    ])
  })
})

describe('a bandwidth as written', () => {
  test('has its unit, in bytes per second', () => {
    expect(['3TB/s', '3.35 TB/s', '900GB/s', '418.75GB/s'].map((text) => written(`min_bandwidth: ${text}`))).toEqual([
      3000, 3350, 900, 418.75,
    ])
    expect(written('count: 1')).toBeUndefined()
  })

  test.each([
    ['900', 'QUANTITY_INVALID | This is not a bandwidth. | Write 900GB/s: bytes per second, with the unit.'],
    ['3.35TBps', 'QUANTITY_INVALID | This is not a bandwidth. | Write 3.35TB/s: bytes per second, with the unit.'],
    ['400Gb/s', 'QUANTITY_INVALID | This is not a bandwidth. | Write 400GB/s: bytes per second, with the unit.'],
    ['fast', 'QUANTITY_INVALID | This is not a bandwidth. | Write bytes per second, for example 3TB/s or 900GB/s.'],
    ['0GB/s', 'VALUE_RANGE | This must be more than 0. | For example 3TB/s.'],
    ['101TB/s', 'VALUE_RANGE | This is more than 100TB/s. | For example 3TB/s.'],
  ])('%s is refused with what to write', (text, problem) => {
    expect(written(`min_bandwidth: ${text}`)).toEqual([problem])
  })

  test('is recognised under other names and in the words of other tools', () => {
    expect(written('memory_bandwidth: 3TB/s')).toEqual([expect.stringContaining('Did you mean min_bandwidth?')])
    expect(written('gpu_mem_bw: 3350')).toEqual([
      "MANIFEST_COUPLED | This asks for memory bandwidth in another tool's words; in a manifest, write: | min_bandwidth: 3.35TB/s",
    ])
  })
})
