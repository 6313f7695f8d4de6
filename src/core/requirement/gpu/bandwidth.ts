import * as z from 'zod'
import type { Amount } from '../../base/units.ts'
import { migShape } from '../../fleet/mig/shape.ts'
import { modelFacts } from '../../hardware/family.ts'
import type { GpuFacts } from '../../offer/machine.ts'
import { amount } from '../fields.ts'
import { gpuKey } from '../key.ts'
import { RANGES } from '../need/algebra.ts'
import { trim } from '../need/print.ts'
import { atLeast } from '../need/range.ts'
import { quantity } from '../quantity.ts'

/** In GB/s: far more than any card has. */
const GBPS_MAX = 100_000

/** Turns down cards, or slices of cards, whose memory is slower than the manifest asks for. */
export const bandwidth = gpuKey({
  key: 'min_bandwidth',
  place: 44,
  schema: amount(parseGbps, { word: 'a bandwidth such as 3TB/s', form: '^\\d+(\\.\\d+)? ?[GT]B/s$' }),
  notes: {
    description:
      'Memory bandwidth of each GPU, as the vendor states it. It limits how fast a large model generates text. A MIG slice has its share; that of other slices is unknown.',
    examples: ['3TB/s', '900GB/s'],
  },
  also: [
    'bandwidth',
    'memory_bandwidth',
    'min_memory_bandwidth',
    'mem_bandwidth',
    'min_mem_bandwidth',
    'hbm_bandwidth',
  ],
  held: 'memoryGbpsMin',
  row: z.number().optional(),
  read: (value) => value,
  slot: 'memoryGbps',
  set: RANGES,
  want: atLeast,
  flag: { value: 'rate', says: 'memory bandwidth of each card, for example 3TB/s or 900GB/s' },
  dialect: {
    keys: 'gpu_mem_bw min_gpu_mem_bw gpu_memory_bandwidth min_gpu_memory_bandwidth gpu_bandwidth memory_bandwidth_gb',
    does: "asks for memory bandwidth in another tool's words",
    value: (text) => (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? print(Number(text)) : undefined),
  },
  name: 'bandwidth',
  rank: 44,
  ...quantity<GpuFacts>({
    tooLittle: {
      code: 'BANDWIDTH_TOO_LOW',
      doc: {
        summary: (reason) => `memory slower than ${reason.wanted}`,
        clears: 'never',
        why: '`min_bandwidth` is compared with the memory bandwidth that the vendor states for the card. A MIG slice has as much of it as of the card’s memory.',
        fix: 'Lower `min_bandwidth`, or spread the model over more cards with `count`: each reads its own part.',
      },
    },
    notKnown: {
      code: 'BANDWIDTH_UNKNOWN',
      doc: {
        summary: (reason) => `does not say whether its memory reaches ${reason.wanted}`,
        clears: 'never',
        why: 'The hardware table does not list the memory bandwidth of this card, the source does not say which of several models it sells, or the card is shared in a way that guarantees no bandwidth.',
        fix: 'Ask for `arch` and `min_vram` instead, or accept it in the policy (`unknown: { accept: [bandwidth] }`).',
      },
    },
    found: gbpsOf,
    print,
  }),
})

/** A MIG slice has the bandwidth of its memory slices. Other ways to share a card promise none. */
function gbpsOf({ model, sharing, profile }: GpuFacts): number | undefined {
  const card = modelFacts(model)
  if (card?.memoryGbps === undefined || sharing === 'share') return undefined
  if (sharing === 'whole') return card.memoryGbps
  const shape = migShape(card)
  const slice = shape?.profiles.find(({ name }) => name === profile)
  return shape === undefined || slice === undefined ? undefined : (card.memoryGbps * slice.size) / shape.slices
}

/** `3TB/s`, `900GB/s`, `3.35 TB/s` in GB/s. */
function parseGbps(text: string): Amount {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,6})?) ?(GB|TB)\/s$/.exec(text) ?? []
  if (number === undefined)
    return { kind: 'wrong', why: 'form', message: 'This is not a bandwidth.', hint: hintFor(text) }
  const gbps = Number(number) * (unit === 'TB' ? 1000 : 1)
  if (gbps > 0 && gbps <= GBPS_MAX) return { kind: 'amount', value: gbps }
  const message = gbps === 0 ? 'This must be more than 0.' : `This is more than ${print(GBPS_MAX)}.`
  return { kind: 'wrong', why: 'range', message, hint: 'For example 3TB/s.' }
}

/** Links are sold in bits, memory in bytes: the two are never taken for each other. */
function hintFor(text: string): string {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([A-Za-z/]*)$/.exec(text) ?? []
  if (number === undefined) return 'Write bytes per second, for example 3TB/s or 900GB/s.'
  return `Write ${number}${/^t/i.test(unit) ? 'TB' : 'GB'}/s: bytes per second, with the unit.`
}

/** The shorter of the two units that loses nothing. */
function print(gbps: number): string {
  return gbps >= 1000 && Number.isInteger(gbps) ? `${trim(gbps / 1000)}TB/s` : `${trim(gbps)}GB/s`
}
