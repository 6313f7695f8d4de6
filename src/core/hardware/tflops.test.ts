import { expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { modelFacts } from './family.ts'
import { GPUS } from './table.ts'
import { denseTflops, PRECISIONS, type Precision } from './tflops.ts'

function of(model: string): readonly (number | undefined)[] {
  return PRECISIONS.map((precision) => denseTflops(must(modelFacts(model), model), precision))
}

test('figures are those of the vendor, by precision', () => {
  expect(of('h100-sxm')).toEqual([989, 1978, 0])
  expect(of('b200-sxm')).toEqual([2250, 4500, 9000])
  expect(of('mi300x')).toEqual([1307, 2615, 0])
})

test('a card older than a precision has none of it, and what is not listed is unknown', () => {
  expect(of('a100-80-sxm')).toEqual([312, 0, 0])
  expect(of('rtx-4090')).toEqual([165, undefined, 0])
  expect(of('rtx-5080')).toEqual([undefined, undefined, undefined])
  expect(of('tpu-v5e')).toEqual([197, undefined, undefined])
})

test('a family has the figures that its members share', () => {
  expect(of('h100-80')).toEqual([undefined, undefined, 0])
  expect(of('a100-80')).toEqual([312, 0, 0])
})

test('no figure is one with sparsity: a narrower precision has at most twice the throughput of the next wider one', () => {
  const doubles = (card: (typeof GPUS)[number], [wide, narrow]: readonly [Precision, Precision]): boolean => {
    const [one, two] = [denseTflops(card, wide), denseTflops(card, narrow)]
    // Blackwell Ultra has half as many units again for 4 bits.
    const most = narrow === 'fp4' && card.target === '10.3' ? 3.2 : 2.05
    return one === undefined || two === undefined || two <= one * most
  }
  const odd = GPUS.filter((card) => !doubles(card, ['fp16', 'fp8']) || !doubles(card, ['fp8', 'fp4']))
  expect(odd.map(({ id }) => id)).toEqual([])
})
