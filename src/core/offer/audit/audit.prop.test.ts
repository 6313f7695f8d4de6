import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelFacts } from '../../hardware/family.ts'
import type { SourceClaim } from './audit.ts'
import { audit } from './audit.suite.ts'
import { cases } from '../../base/laws.suite.ts'

const NAMES = ['H100', 'A100', 'A100-80GB', 'V100', 'L4', 'L40', 'L40S', 'H200', 'RTX3060', 'RTX6000', 'tpu-v5p-128']
const MORE = ['H100 PCIe', 'PRO-6000-MIG-24GB', 'Radeon MI25', 'Virtex', 'constructor', '__proto__', '']
const name = fc.oneof(fc.constantFrom(...NAMES, ...MORE), fc.string())
const number = fc.option(
  fc.oneof(fc.constantFrom(0, 1, 2, 8, 0.5, 24, 80, 141, 22888, 32768, 40960, 81920, 655360), fc.double()),
  { nil: undefined },
)
const machine = fc.constantFrom('', 'Standard_NC80adis_H100_v5', 'Standard_NV4as_v4', '1x-RTX_3060_Ti-32-65536', 'n1')
const claim: fc.Arbitrary<SourceClaim> = fc.record({
  provider: fc.constantFrom('azure', 'gcp', 'vast', 'northwind'),
  instance: fc.oneof(machine, fc.string()),
  named: name,
  describedAs: name,
  upstream: fc.option(
    fc.record({ provider: fc.constantFrom('lambda', undefined), instance: fc.constantFrom('g3-l40s-large', 'n3') }),
    { nil: undefined },
  ),
  plainFamily: fc.constantFrom(undefined, 'a100-40', 'v100-16', 'nonsense'),
  count: number,
  countAgain: number,
  cardMib: number,
  totalMib: number,
  habit: fc.constantFrom(undefined, 'card', 'total'),
})
const prices = fc.record({ usdPerHour: number, spotUsdPerHour: number, isFlat: fc.boolean() })
const RUNS = cases(2000)

describe('whatever a row says', () => {
  test('it has exactly one verdict, and is either quarantined or has a card', () => {
    fc.assert(
      fc.property(claim, prices, (c, p) => {
        const finding = audit(c, p)
        expect(finding.gpu === undefined).toBe(finding.quarantine !== undefined)
        expect(finding.verdict === 'quarantined').toBe(finding.quarantine !== undefined)
        expect(finding.verdict === 'repaired').toBe(finding.repairs.length > 0)
        if (finding.quarantine !== undefined) expect(finding.note).not.toBeUndefined()
      }),
      RUNS,
    )
  })

  test('a healthy card is in the hardware table, and its memory is within 5 % of a reading of the row', () => {
    fc.assert(
      fc.property(claim, prices, (c, p) => {
        const { gpu } = audit(c, p)
        if (gpu === undefined) return
        const facts = modelFacts(gpu.model)
        expect(facts).toBeDefined()
        expect(Number.isInteger(gpu.count) && gpu.count > 0).toBe(true)
        const stated = c.cardMib !== undefined && c.cardMib > 0 ? c.cardMib : c.totalMib
        if (facts === undefined || stated === undefined || !(stated > 0)) return
        const gib = gpu.slice?.gib ?? facts.vramGib
        const sizes = [gib * 1024, (gib * 1e9) / 2 ** 20, facts.vramMib ?? 0, ...facts.vramMibSeen]
        const readings = [stated, stated * 1024, stated / gpu.count, (stated * 1024) / gpu.count]
        expect(readings.some((mib) => sizes.some((size) => Math.abs(mib - size) <= size * 0.0501))).toBe(true)
      }),
      RUNS,
    )
  })

  test('a healthy price is a positive number a card can cost', () => {
    fc.assert(
      fc.property(claim, prices, (c, p) => {
        const { gpu, usdPerHour, spotUsdPerHour } = audit(c, p)
        if (gpu === undefined) return
        const asked = [usdPerHour, spotUsdPerHour].filter((usd) => usd !== undefined)
        expect(asked.length).toBeGreaterThan(0)
        for (const usd of asked) expect(usd).toBeGreaterThan(0)
      }),
      RUNS,
    )
  })
})
