import { describe, expect, test } from 'vitest'
import { UserError } from '../../base/problem.ts'
import { parseManifest } from '../../manifest/parse.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { tflops as key } from './tflops.ts'

const tflops = gpuFilter(key)
const NEEDS_BOTH = gpuNeed({ tflops: { fp16: 900, fp8: 1500 } })

function card(model: string, change: Partial<GpuFacts> = {}): Machine {
  return machine({ gpu: gpu({ model, ...change }) })
}

/** What a manifest holds that writes this, or the problems with it. */
function written(text: string): unknown {
  const gpuText = `berth: v1\nkind: job\nname: w\nimage: i\nresources: { gpu: { min_tflops: ${text} } }\n`
  const read = readYaml(gpuText, 'w.yaml')
  if ('problems' in read) throw new UserError(read.problems)
  const parsed = parseManifest(read.document)
  if ('manifest' in parsed) return parsed.manifest.resources.gpu?.tflopsMin
  return parsed.problems.map(({ code, message, hint }) => [code, message, hint].join(' | '))
}

describe('min_tflops', () => {
  test('a card of exactly the figures asked for will do, and so will a faster one', () => {
    expect(tflops.check(card('h100-sxm'), gpuNeed({ tflops: { fp16: 989, fp8: 1978 } }), NOW_MS)).toBeUndefined()
    expect(tflops.check(card('b200-sxm'), NEEDS_BOTH, NOW_MS)).toBeUndefined()
  })

  test('a slower card is turned down with both figures, which are never those with sparsity', () => {
    const reason = tflops.check(card('h100-pcie'), NEEDS_BOTH, NOW_MS)
    expect(reason).toEqual({ code: 'TFLOPS_TOO_LOW', wanted: '900 dense fp16 TFLOPS', found: '756' })
    expect(inWords(tflops, reason)).toBe('under 900 dense fp16 TFLOPS; clears: never')
    expect(tflops.check(card('h100-sxm'), gpuNeed({ tflops: { fp8: 3000 } }), NOW_MS)?.found).toBe('1978')
  })

  test('a card of a generation before a precision has none of it', () => {
    const reason = tflops.check(card('a100-80-sxm'), gpuNeed({ tflops: { fp16: 300, fp8: 1 } }), NOW_MS)
    expect(reason).toEqual({ code: 'TFLOPS_TOO_LOW', wanted: '1 dense fp8 TFLOPS', found: 'no fp8' })
  })

  test('what the table does not list is an unknown, unless another figure says no', () => {
    const reason = tflops.check(card('rtx-4090'), gpuNeed({ tflops: { fp16: 100, fp8: 100 } }), NOW_MS)
    expect(reason).toEqual({ code: 'TFLOPS_UNKNOWN', wanted: '100 dense fp8 TFLOPS', found: undefined })
    expect(inWords(tflops, reason)).toBe('does not say whether it reaches 100 dense fp8 TFLOPS; clears: never')
    expect(tflops.check(card('rtx-4090'), NEEDS_BOTH, NOW_MS)?.code).toBe('TFLOPS_TOO_LOW')
    expect(tflops.check(card('h100-80'), gpuNeed({ tflops: { fp8: 1, fp4: 1 } }), NOW_MS)?.found).toBe('no fp4')
  })

  test('of a slice nothing is known', () => {
    for (const sharing of ['mig', 'share'] as const)
      expect(tflops.check(card('h100-sxm', { sharing, profile: '7g.80gb' }), NEEDS_BOTH, NOW_MS)?.code).toBe(
        'TFLOPS_UNKNOWN',
      )
  })

  test('it says nothing where no figure, no GPU or no card is in question', () => {
    expect(tflops.check(card('k80'), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(tflops.check(card('k80'), need(), NOW_MS)).toBeUndefined()
    expect(tflops.check(NO_GPU_INSIDE, NEEDS_BOTH, NOW_MS)).toBeUndefined()
  })

  test('loosening lowers every figure that is too high, nearest first, and never below what a card has', () => {
    const refused = [card('l40s'), card('h100-pcie'), card('a100-80-sxm'), card('rtx-4090')]
    expect(loosened(tflops, NEEDS_BOTH, refused)).toEqual([
      {
        change: 'resources.gpu.min_tflops: { fp16: 900, fp8: 1500 } -> { fp16: 756, fp8: 1500 }',
        admits: [false, true, false, false],
      },
      {
        change: 'resources.gpu.min_tflops: { fp16: 900, fp8: 1500 } -> { fp16: 362, fp8: 733 }',
        admits: [true, true, false, false],
      },
    ])
    expect(loosened(tflops, gpuNeed(), refused)).toEqual([])
  })

  test('two requests together ask for the higher figure at each precision', () => {
    const { meet, covers } = key.set
    expect(meet({ fp16: 900 }, { fp16: 300, fp8: 1500 })).toEqual({ fp16: 900, fp8: 1500 })
    expect(covers({ fp16: 300 }, { fp16: 900, fp8: 1500 })).toBe(true)
    expect(covers({ fp16: 300, fp4: 1 }, { fp16: 900, fp8: 1500 })).toBe(false)
  })
})

describe('figures as written', () => {
  test('are a map by precision', () => {
    expect(written('{ fp16: 900 }')).toEqual({ fp16: 900 })
    expect(written('{ fp8: 1500, fp16: 989.5 }')).toEqual({ fp16: 989.5, fp8: 1500 })
  })

  test.each([
    ['900', 'VALUE_TYPE | Expected a map, found 900. | For example: min_tflops: { fp16: 900 }'],
    ['{}', 'VALUE_INVALID | Name at least one precision: fp16, fp8 or fp4. | For example: min_tflops: { fp16: 900 }'],
    ['{ fp8: 0 }', 'VALUE_RANGE | The number must be more than 0. | For example: fp8: 1500'],
  ])('%s is refused with what to write', (text, problem) => {
    expect(written(text)).toEqual([problem])
  })

  test('say 16 bits by one name', () => {
    expect(written('{ bf16: 900 }')).toEqual([expect.stringContaining('Did you mean fp16?')])
  })
})
