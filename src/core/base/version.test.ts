import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printDriver, printVersion, versionNumber } from './version.ts'

describe('a version as a number', () => {
  test('has three places of three digits', () => {
    expect(versionNumber('570.133.20')).toBe(570_133_020)
    expect(versionNumber('12.4')).toBe(12_004_000)
    expect(versionNumber('550')).toBe(550_000_000)
    expect(versionNumber('1234')).toBe(1_234_000_000)
    expect(versionNumber('525.53.02')).toBe(525_053_002)
  })

  test('is undefined for what is no version', () => {
    for (const text of [
      '',
      'x',
      '12.',
      '.4',
      '12.4.',
      '12345',
      '1.2345',
      '1.2.3456',
      '1.2.3.4',
      'v12',
      '12a',
      '-1',
      '1,2',
    ])
      expect(versionNumber(text), text).toBeUndefined()
  })

  test('prints as short as it can be', () => {
    expect([570_133_020, 12_004_000, 550_000_000, 1_000_002, 0].map(printVersion)).toEqual([
      '570.133.20',
      '12.4',
      '550',
      '1.0.2',
      '0',
    ])
  })

  test('of a driver keeps two digits in its last part', () => {
    const texts = ['575.57.08', '550.54.14', '570.133.20', '535.104', '580', '12.4.100']
    expect(texts.map((text) => printDriver(versionNumber(text) ?? 0))).toEqual(texts)
    expect(printDriver(535_104_005)).toBe('535.104.05')
  })

  test('comes back from its own text', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(999), fc.nat(999), (major, minor, patch) => {
        const value = major * 1_000_000 + minor * 1_000 + patch
        expect(versionNumber(printVersion(value))).toBe(value)
        expect(versionNumber(`${major}.${minor}.${patch}`)).toBe(value)
      }),
    )
  })
})
