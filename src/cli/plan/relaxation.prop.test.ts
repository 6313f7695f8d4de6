import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { assignIds } from '../../core/offer/identity.ts'
import type { Offer } from '../../core/offer/offer.ts'
import { freeze } from '../../core/offer/snapshot.ts'
import { decideFor } from './deciding.ts'
import { manifestFrom } from '../inputs.ts'
import { report, type PlanReport } from '../../core/place/explain/report.ts'
import { NOW_MS, offers } from '../../core/place/world.suite.ts'
import { cases, enough } from '../../core/base/laws.suite.ts'

/** Offers among which the hardware decides: what else could be wrong with an offer is taken away. */
const machines = fc.array(offers, { minLength: 4, maxLength: 6 }).map((capacities) =>
  renamed(capacities.flat()).map((offer): Offer => {
    const gpu = offer.gpu ?? { model: 'l4', count: 1, slice: undefined, link: 'pcie' as const }
    const plain = { quarantine: undefined, stock: undefined, health: undefined, quotaLeft: undefined }
    return {
      ...offer,
      ...plain,
      gpu,
      cpu: offer.cpu ?? 64,
      memoryGib: offer.memoryGib ?? 512,
      hostArch: offer.hostArch ?? 'amd64',
      usdPerHour: offer.usdPerHour ?? 1,
    }
  }),
)

const GPU_KEYS = {
  min_vram: ['10Gi', '24Gi', '48Gi', '80Gi', '180Gi'],
  min_usable_vram: ['23Gi', '79Gi', '90Gi'],
  arch: [['hopper'], ['ampere', 'ada'], ['blackwell']],
  min_compute_capability: ['8.0', '9.0', '10.0'],
  min_driver: ['550', '590'],
  min_cuda: ['12.4', '13.0'],
  interconnect: ['nvlink', 'nvswitch'],
  sharing: ['mig', 'any'],
}

const HOST_KEYS = {
  cpu: [16, 64, 128],
  memory: ['64Gi', '512Gi', '600Gi'],
  disk: ['500Gi', '2000Gi'],
  host_arch: ['arm64', 'amd64'],
}

/** A few of the keys, each with one of its values: with all of them hardly anything would be a near miss. */
function some(keys: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(keys).map(([key, values]) =>
    fc.constantFrom(...values).map((value) => [key, value] as const),
  )
  return fc
    .tuple(...entries)
    .chain((all) => fc.subarray([...all], { maxLength: 2 }).map((chosen) => Object.fromEntries(chosen)))
}

/** Manifests whose every key can be changed by one word of a relaxation. */
const manifests = fc
  .record({
    count: fc.constantFrom(1, 2, 4, 8),
    nodes: fc.constantFrom(1, 1, 2),
    gpu: some(GPU_KEYS),
    host: some(HOST_KEYS),
  })
  .map(({ count, nodes, gpu, host }) => ({
    berth: 'v1',
    kind: 'job',
    name: 'law',
    image: 'ghcr.io/acme/law:1',
    nodes,
    resources: { ...host, gpu: { count, ...gpu } },
  }))

test('a printed change, typed into the manifest, admits the offers it counts', () => {
  let applied = 0
  fc.assert(
    fc.property(machines, manifests, (capacity, manifest) => {
      const snapshot = freeze(capacity)
      const plan = (data: unknown): PlanReport =>
        report(
          decideFor(manifestFrom({ file: 'law.yaml', text: stringify(data) }), { config: undefined, snapshot }, NOW_MS),
        )
      const before = plan(manifest)
      for (const { key, to, offers: more, usd_per_hour: price } of before.relaxations) {
        if (key.startsWith('policy.')) continue
        applied++
        const after = plan(changed(manifest, key.split('.'), written(key, to)))
        // Exactly what a plan then gets, or less where something cheaper fitted before.
        expect(after.chosen[0]?.offer.usd_per_hour).toBeLessThanOrEqual(price + 1e-6)
        // Other terms of sale admit more, and make cheaper what fits already.
        if (key === 'spot') continue
        expect(`${key}: ${to} admits ${(after.asks[0]?.fitting ?? 0) - (before.asks[0]?.fitting ?? 0)}`).toBe(
          `${key}: ${to} admits ${more}`,
        )
      }
    }),
    cases(2_000),
  )
  expect(applied).toBeGreaterThan(enough(1_000))
})

function renamed(capacity: readonly Offer[]): readonly Offer[] {
  const ids = assignIds(capacity)
  return capacity.map((offer, index) => ({ ...offer, id: ids[index] ?? '' }))
}

/** The value as a user would type it; versions are texts. */
function written(key: string, to: string): unknown {
  return /min_(driver|cuda|compute_capability)$/.test(key) ? to : parse(to)
}

function changed(data: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const map = typeof data === 'object' && data !== null ? data : {}
  return { ...map, [key]: changed(Reflect.get(map, key), rest, value) }
}
