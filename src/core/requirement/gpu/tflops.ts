import * as z from 'zod'
import { modelFacts } from '../../hardware/family.ts'
import { denseTflops, PRECISIONS, type Precision } from '../../hardware/tflops.ts'
import type { GpuFacts } from '../../offer/machine.ts'
import { optional } from '../fields.ts'
import { gpuKey, type KeyStep } from '../key.ts'
import type { SetAlgebra } from '../need/algebra.ts'
import { trim } from '../need/print.ts'
import { no, unknown, type Reason } from '../reason.ts'

/** The least throughput at each precision that matters. */
type TflopsSet = Readonly<Partial<Record<Precision, number>>>

/** Far more than any card has. */
const TFLOPS_MAX = 1_000_000

const figure = z.number().positive().max(TFLOPS_MAX)

const schema = z
  .strictObject({
    fp16: optional(
      figure,
      { description: 'At 16 bits: FP16 or BF16, for which vendors state one figure.', examples: [900] },
      { also: ['bf16', 'float16', 'bfloat16', 'half', 'fp16_bf16', 'f16'] },
    ),
    fp8: optional(figure, { description: 'At 8 bits.', examples: [1500] }, { also: ['float8', 'e4m3', 'f8', 'mxfp8'] }),
    fp4: optional(
      figure,
      { description: 'At 4 bits.', examples: [9000] },
      { also: ['float4', 'nvfp4', 'mxfp4', 'f4'] },
    ),
  })
  .refine((stated) => PRECISIONS.some((precision) => stated[precision] !== undefined), {
    error: 'Name at least one precision: fp16, fp8 or fp4.',
    // A misspelt precision has its own hint.
    when: ({ issues }) => issues.length === 0,
  })

const TFLOPS_SETS: SetAlgebra<TflopsSet> = {
  any: {},
  meet: (one, two) =>
    setOf((precision) => ((one[precision] ?? 0) > (two[precision] ?? 0) ? one[precision] : two[precision])),
  covers: (wide, narrow) => PRECISIONS.every((precision) => (wide[precision] ?? 0) <= (narrow[precision] ?? 0)),
}

/** Turns down cards that compute more slowly than the manifest asks for. */
export const tflops = gpuKey({
  key: 'min_tflops',
  place: 46,
  schema,
  notes: {
    description:
      'Dense TFLOPS of each GPU by precision, as the vendor states them without sparsity. Those of a slice are unknown.',
    examples: [{ fp16: 900 }, { fp16: 900, fp8: 1500 }],
  },
  also: ['tflops', 'flops', 'min_flops', 'teraflops', 'min_fp16_tflops', 'min_fp8_tflops', 'fp16_tflops', 'fp8_tflops'],
  held: 'tflopsMin',
  row: z.object({ fp16: z.number().optional(), fp8: z.number().optional(), fp4: z.number().optional() }).optional(),
  read: (value) => value && setOf((precision) => value[precision]),
  slot: 'tflops',
  set: TFLOPS_SETS,
  want: (held) => setOf((precision) => held?.[precision]),
  flag: {
    value: 'figures',
    says: 'dense TFLOPS of each card by precision, for example fp16=900 or fp16=900,fp8=1500',
    type: 'map',
  },
  name: 'tflops',
  rank: 46,
  reasons: {
    TFLOPS_TOO_LOW: {
      summary: (reason) => `under ${reason.wanted}`,
      clears: 'never',
      why: '`min_tflops` is compared with the dense figure that the vendor states. Figures with sparsity are twice as high. A card of a generation before a precision has none of it: 8 bits came with Ada and Hopper, 4 bits with Blackwell.',
      fix: 'Lower `min_tflops`, or ask for a precision that more cards have.',
    },
    TFLOPS_UNKNOWN: {
      summary: (reason) => `does not say whether it reaches ${reason.wanted}`,
      clears: 'never',
      why: 'The hardware table has no dense figure for this card at this precision, the source does not say which of several models it sells, or only part of the card is sold.',
      fix: 'Ask for `arch` or `min_compute_capability` instead, or accept it in the policy (`unknown: { accept: [tflops] }`).',
    },
  },
  check(wanted, gpu) {
    let notKnown: Reason | undefined
    for (const [precision, min] of asked(wanted)) {
      const found = tflopsOf(gpu, precision)
      const words = `${trim(min)} dense ${precision} TFLOPS`
      if (found === undefined) notKnown ??= unknown('TFLOPS_UNKNOWN', words)
      else if (found < min) return no('TFLOPS_TOO_LOW', words, found === 0 ? `no ${precision}` : trim(found))
    }
    return notKnown
  },
  miss: (wanted, gpu) => stepTo(wanted, gpu)?.share,
  loosen(wanted, refused) {
    const steps = refused.flatMap((gpu) => stepTo(wanted, gpu) ?? [])
    const helpful = steps.filter(({ share, to }) => share > 0 && to !== '{}')
    return [...new Map(helpful.map((step) => [step.to, step])).values()].sort(
      (one, two) => one.share - two.share || (one.to < two.to ? -1 : 1),
    )
  },
})

/** The smallest change that admits a card; undefined: a figure is not known, or it has none of a precision. */
function stepTo(wanted: TflopsSet, gpu: GpuFacts): (KeyStep<TflopsSet> & { readonly share: number }) | undefined {
  let share = 0
  const lower: { [P in Precision]?: number } = {}
  for (const [precision, min] of asked(wanted)) {
    const found = tflopsOf(gpu, precision)
    if (found === undefined || found === 0) return undefined
    lower[precision] = Math.min(min, found)
    share = Math.max(share, (min - found) / min)
  }
  return { from: print(wanted), to: print(lower), wanted: lower, share }
}

/** Of a slice the figures are unknown: it has some of the card's units, and no vendor says how many. */
function tflopsOf({ model, sharing }: GpuFacts, precision: Precision): number | undefined {
  const card = sharing === 'whole' ? modelFacts(model) : undefined
  return card === undefined ? undefined : denseTflops(card, precision)
}

function asked(wanted: TflopsSet): readonly (readonly [Precision, number])[] {
  return PRECISIONS.flatMap((precision) => {
    const min = wanted[precision]
    return min === undefined ? [] : [[precision, min] as const]
  })
}

function setOf(figureFor: (precision: Precision) => number | undefined): { [P in Precision]?: number } {
  const set: { [P in Precision]?: number } = {}
  for (const precision of PRECISIONS) {
    const min = figureFor(precision)
    if (min !== undefined) set[precision] = min
  }
  return set
}

/** As users write it: `{ fp16: 900, fp8: 1500 }`. */
function print(wanted: TflopsSet): string {
  const figures = asked(wanted).map(([precision, min]) => `${precision}: ${trim(min)}`)
  return figures.length === 0 ? '{}' : `{ ${figures.join(', ')} }`
}
