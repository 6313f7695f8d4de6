import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GpuHints, GpuModel, Resolution } from './gpu.ts'
import { soldAs } from './instances.ts'
import { resolveGpu } from './resolve.ts'
import { GPUS } from './table.ts'
import { vramFits } from './vram.ts'
import { cases } from '../base/laws.suite.ts'

const RUNS = cases(3000)

const NAMES = GPUS.flatMap((gpu) => [gpu.id, gpu.name, ...gpu.aliases])
const CLAIMS =
  'nvidia amd tesla sxm sxm2 sxm4 sxm5 sxm6 pcie nvl nvlink mega hbm3 oam server se ws cc gpu 16gb 24gb 40gb 80gb 94gb 80g blackwell hopper'.split(
    ' ',
  )
const JUNK = 'foo virtex vu47p xlarge h a 100 6000 rtx pro ti super ada x8 v 5 shared constructor'.split(' ')
const BASES = NAMES.map((name) => name.split(/[^A-Za-z0-9]/)[0] ?? '')

const name = fc.constantFrom(...NAMES)
const claim = fc.constantFrom(...CLAIMS)
const separator = fc.constantFrom(' ', '-', '_', ' - ', '+', '/')
const soup = fc
  .tuple(fc.array(fc.oneof(fc.constantFrom(...BASES), claim, fc.constantFrom(...JUNK)), { maxLength: 6 }), separator)
  .map(([words, between]) => words.join(between))
const anything = fc.oneof(
  fc.string({ maxLength: 140 }),
  soup,
  name,
  fc.tuple(name, fc.string({ maxLength: 5 })).map((two) => two.join('')),
)

const INSTANCES = [
  '',
  'p4d.24xlarge',
  'Standard_NC40ads_H100_v5',
  'gpu-rtx6000_1gpu-24vcpu-218gb',
  '1x_H100_SECURE',
  'gpu_1x_a100',
  't2-45',
  'x-sxm4-80gb',
]
const hints: fc.Arbitrary<GpuHints> = fc.record(
  {
    provider: fc.constantFrom('aws', 'azure', 'gcp', 'nebius', 'runpod', 'lambda', 'ovhcloud', 'nobody'),
    instance: fc.constantFrom(...INSTANCES),
    count: fc.nat(16),
    vramMib: fc.oneof(fc.nat(300000), fc.constantFrom(...GPUS.map(({ vramGib }) => vramGib * 1024))),
  },
  { requiredKeys: [] },
)

function models(found: Resolution): readonly GpuModel[] {
  if (found.kind === 'unknown') return []
  return found.kind === 'gpu' ? [found.gpu] : found.candidates
}

describe('the table', () => {
  test.each(GPUS.map((gpu) => [gpu.id, gpu] as const))('%s is among the answers to each of its names', (_, gpu) => {
    for (const text of [gpu.id, gpu.name, ...gpu.aliases]) expect(models(resolveGpu(text)), text).toContain(gpu)
    expect(resolveGpu(gpu.id).kind, gpu.id).not.toBe('unknown')
  })

  test.each(GPUS.map((gpu) => [gpu.id, gpu] as const))(
    '%s is the only card of its vendor, memory and form under its name',
    (_, gpu) => {
      const { vramMib = gpu.vramGib * 1024 } = gpu
      const alike = models(resolveGpu(gpu.name, { vramMib })).filter(({ form }) => form === gpu.form)
      // The workstation edition of the RTX PRO 4500 has no word for itself in its name.
      expect(alike.map(({ id }) => id)).toEqual(
        gpu.id === 'rtx-pro-4500-workstation' ? ['rtx-pro-4500-server', gpu.id] : [gpu.id],
      )
    },
  )
})

describe('never a guess', () => {
  test('no answer has a card whose own name is not in the text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const gpu of models(resolveGpu(text))) expect(mentions(text, gpu), `${text}: ${gpu.id}`).toBe(true)
      }),
      RUNS,
    )
  })

  test('one word too many makes a name unknown', () => {
    const word = fc.constantFrom('foo', 'virtex', 'xlarge', 'shared', 'constructor', 'hasownproperty')
    fc.assert(
      fc.property(name, word, fc.boolean(), (text, more, isFirst) => {
        expect(resolveGpu(isFirst ? `${more} ${text}` : `${text} ${more}`)).toEqual({ kind: 'unknown' })
      }),
      RUNS,
    )
  })

  test('an ambiguous answer has at least two cards, each once, sorted by id', () => {
    fc.assert(
      fc.property(anything, hints, (text, given) => {
        const found = resolveGpu(text, given)
        if (found.kind !== 'ambiguous') return
        const ids = found.candidates.map(({ id }) => id)
        expect(ids).toEqual([...new Set(ids)].toSorted())
        expect(ids.length).toBeGreaterThan(1)
      }),
      RUNS,
    )
  })
})

describe('the way a name is written', () => {
  test('does not matter: case, blanks and separators', () => {
    const plain = fc.constantFrom(...GPUS.flatMap((gpu) => [gpu.name, ...gpu.aliases]))
    fc.assert(
      fc.property(plain, separator, fc.boolean(), (text, between, isUpper) => {
        const other = text.split(/[ _+-]+/).join(between)
        expect(resolveGpu(isUpper ? ` ${other.toUpperCase()} ` : other.toLowerCase())).toEqual(resolveGpu(text))
      }),
      RUNS,
    )
  })

  test('saying more never brings in another card', () => {
    const plain = fc.constantFrom(...GPUS.map((gpu) => gpu.name))
    fc.assert(
      fc.property(plain, claim, (text, more) => {
        const before = models(resolveGpu(text))
        for (const gpu of models(resolveGpu(`${text} ${more}`))) expect(before).toContain(gpu)
      }),
      RUNS,
    )
  })
})

describe('hints', () => {
  test('only choose among what the name allows and what the machine is known to carry', () => {
    fc.assert(
      fc.property(fc.oneof(name, soup), hints, (text, given) => {
        const allowed = models(resolveGpu(text))
        const sold = [given.instance ?? '', text]
          .flatMap((of) => soldAs(given.provider ?? '', of))
          .map(({ gpu }) => gpu)
        const found = models(resolveGpu(text, given))
        for (const gpu of found) expect([...allowed, ...sold]).toContain(gpu)
        expect(found.length > 0).toBe(allowed.length > 0)
      }),
      RUNS,
    )
  })

  test('memory leaves either only cards that have it, or all', () => {
    fc.assert(
      fc.property(name, fc.nat(300000), (text, vramMib) => {
        const before = models(resolveGpu(text))
        const fitting = before.filter((gpu) => vramFits(gpu, vramMib))
        const found = models(resolveGpu(text, { vramMib }))
        expect(found.toSorted(byId)).toEqual((fitting.length > 0 ? fitting : before).toSorted(byId))
      }),
      RUNS,
    )
  })

  test('the same question always has the same answer', () => {
    fc.assert(
      fc.property(anything, hints, (text, given) => {
        expect(resolveGpu(text, given)).toEqual(resolveGpu(text, given))
      }),
      cases(500),
    )
  })
})

function byId(one: GpuModel, two: GpuModel): number {
  return one.id < two.id ? -1 : 1
}

/** Whether the numbers in one of a card's names (or the name, if it has none) stand in the text, sizes and sockets aside. */
function mentions(text: string, gpu: GpuModel): boolean {
  const packed = text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return [gpu.id, gpu.family, gpu.name, ...gpu.aliases, ...podNames(gpu)].some((own) => {
    const words =
      own
        .toLowerCase()
        .replaceAll(/sxm\d|hbm\d|\b\d+ ?gi?b?\b/g, ' ')
        .match(/[a-z0-9]+/g) ?? []
    const numbered = words.filter((word) => /\d/.test(word))
    return (numbered.length > 0 ? numbered : words).every((word) => packed.includes(word))
  })
}

/** `v5p-8` needs no word TPU. */
function podNames(gpu: GpuModel): readonly string[] {
  return gpu.arch === 'tpu' && gpu.target !== undefined ? [gpu.target] : []
}
