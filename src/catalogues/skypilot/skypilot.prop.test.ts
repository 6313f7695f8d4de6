import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RowVerdict } from '../../core/offer/offer.ts'
import { readCsv } from '../../formats/csv.ts'
import { importSkypilot } from './skypilot.ts'
import { cases } from '../../core/base/laws.suite.ts'

const HEADER =
  'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone'

const price = fc.constantFrom('', '0.0', '0.01', '1.5', '12', '700', 'x')
const info = fc.constantFrom(
  '',
  'V100',
  "\"{'Gpus': [{'Name': 'V100', 'MemoryInfo': {'SizeInMiB': 32768}}]}\"",
  "\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 24}}]}\"",
  "\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 65536}}]}\"",
  '"{\'Gpus\': ["',
)
const machine = fc.constantFrom('', 'a2-highgpu-1g', 'g2-standard-4', 'g2-standard-8', 'n1-standard-4', 'm7g.large')
const name = fc.constantFrom('', 'V100', 'A100', 'L4', 'T4', 'tpu-v6e-1', 'tpu-v6e-4', 'tpu-v6e-8', 'FPGA', '__proto__')
const line = fc
  .tuple(
    machine,
    name,
    fc.constantFrom('', '1', '2', '4', '0.5', '-1'),
    info,
    price,
    price,
    fc.constantFrom('z4', 'y4', 'z8'),
  )
  .map(([instance, named, count, gpu, usd, spot, [zone = '', cpu]]) =>
    [instance, named, count, cpu, 16, gpu, usd, spot, 'us-central1', zone].join(','),
  )
const rubbish = fc.constantFrom('', ',', '"', 'a,b,c', '"a,b', "{'Gpus':,,,,,,,,,,,,,,")
const lines = fc.array(fc.oneof({ weight: 9, arbitrary: line }, rubbish), { maxLength: 25 })
const cloud = fc.constantFrom('gcp', 'vast', 'aws', 'constructor')

function textOf(body: readonly string[]): string {
  return [HEADER, ...body].join('\n')
}

function rowsOf(name: string, body: readonly string[]): readonly RowVerdict[] {
  return importSkypilot([{ cloud: name, text: textOf(body) }]).rows
}

/** Offers as text, sorted: what is left of a catalogue when its order is forgotten. */
function offersOf(rows: readonly RowVerdict[]): readonly string[] {
  return rows.map(({ offer, verdict, repairs }) => JSON.stringify([offer, verdict, repairs])).toSorted()
}

describe('whatever a catalogue says', () => {
  test('each row has one verdict and an id of its own', () => {
    fc.assert(
      fc.property(cloud, lines, (c, body) => {
        const rows = rowsOf(c, body)
        expect(rows).toHaveLength([...readCsv(textOf(body)).rows()].length)
        expect(new Set(rows.map(({ offer }) => offer.id)).size).toBe(rows.length)
        for (const { verdict, quarantine, repairs, offer } of rows) {
          expect(verdict).toBe(quarantine !== undefined ? 'quarantined' : repairs.length > 0 ? 'repaired' : 'resolved')
          expect(offer.quarantine).toBe(quarantine)
          if (quarantine !== undefined) expect(offer.gpu).toBeUndefined()
        }
      }),
      cases(2000),
    )
  })

  test('the order of its rows never shows in an offer or its id', () => {
    // Without rubbish: a quote that is never closed changes what the lines below it are.
    const shuffled = fc
      .array(line, { maxLength: 25 })
      .chain((body) =>
        fc.record({ body: fc.constant(body), other: fc.shuffledSubarray(body, { minLength: body.length }) }),
      )
    fc.assert(
      fc.property(cloud, shuffled, (c, { body, other }) => {
        expect(offersOf(rowsOf(c, other))).toEqual(offersOf(rowsOf(c, body)))
      }),
      cases(2000),
    )
  })
})
