import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  parseCpu,
  parseMemoryGib,
  parseSeconds,
  parseShare,
  parseUsd,
  parseVramGib,
  printCpu,
  printMemory,
  printSeconds,
} from './units.ts'
import { printShare, printUsd } from './units.suite.ts'
import { cases } from './laws.suite.ts'

const RUNS = cases(2000)

test('whatever memory is printed is read as the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (bytes) => {
      const gib = bytes / 2 ** 30
      expect(parseMemoryGib(printMemory(gib))).toEqual({ kind: 'amount', value: gib })
    }),
    RUNS,
  )
})

test('memory that people write is printed no longer than they wrote it', () => {
  const written = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.constantFrom('Gi', 'Mi', 'Ti', 'GB', 'MB'))
  fc.assert(
    fc.property(written, ([number, unit]) => {
      const parsed = parseMemoryGib(`${number}${unit}`)
      if (parsed.kind === 'wrong') return
      expect(printMemory(parsed.value).length).toBeLessThanOrEqual(`${number}${unit}`.length)
    }),
    RUNS,
  )
})

test('printing and reading cores, times, shares and money changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_096_000 }), (milli) => {
      expect(parseCpu(printCpu(milli / 1000))).toEqual({ kind: 'amount', value: milli / 1000 })
    }),
    RUNS,
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 366 * 86_400 }), (seconds) => {
      expect(parseSeconds(printSeconds(seconds))).toEqual({ kind: 'amount', value: seconds })
    }),
    RUNS,
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
      const share = hundredths / 100 / 100
      expect(parseShare(printShare(share))).toEqual({ kind: 'amount', value: share })
    }),
    RUNS,
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 11 }), (parts) => {
      const usd = parts / 1e6
      expect(parseUsd(printUsd(usd))).toEqual({ kind: 'amount', value: usd })
    }),
    RUNS,
  )
})

test('no text is read as something negative, infinite or not a number', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.stringMatching(/^[-+]?[\d.e]{0,20}$/), fc.constantFrom('', 'Gi', 'GB', 'm', 's', 'h', '%'))
      .map(([a, b]) => a + b),
  )
  fc.assert(
    fc.property(text, (written) => {
      for (const parse of [parseMemoryGib, parseVramGib, parseCpu, parseSeconds, parseShare, parseUsd]) {
        const parsed = parse(written)
        if (parsed.kind === 'amount') expect(Number.isFinite(parsed.value) && parsed.value >= 0).toBe(true)
        else expect(parsed.hint).not.toBe('')
      }
    }),
    RUNS,
  )
})
