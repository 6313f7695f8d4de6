import { describe, expect, test } from 'vitest'
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
  type Amount,
} from './units.ts'
import { printShare, printUsd } from './units.suite.ts'

const FORM = 'This is not a valid amount.'
const POSITIVE = 'This must be more than 0.'

function amount(value: number): Amount {
  return { kind: 'amount', value }
}

function form(hint: string): Amount {
  return { kind: 'wrong', why: 'form', message: FORM, hint }
}

function range(message: string, hint: string): Amount {
  return { kind: 'wrong', why: 'range', message, hint }
}

describe('memory', () => {
  test.each([
    ['80Gi', 80],
    ['80GiB', 80],
    ['80 Gi', 80],
    ['512Mi', 0.5],
    ['1Ti', 1024],
    ['1.5Ti', 1536],
    ['1Ki', 2 ** -20],
    ['1024KiB', 2 ** -10],
    ['80GB', 80e9 / 2 ** 30],
    ['1TB', 1e12 / 2 ** 30],
    ['500MB', 5e8 / 2 ** 30],
    ['1KB', 1000 / 2 ** 30],
    ['1B', 2 ** -30],
    ['1024Ti', 2 ** 20],
  ])('%s', (text, gib) => {
    expect(parseMemoryGib(text)).toEqual(amount(gib))
  })

  test('is exact to the byte', () => {
    expect(parseMemoryGib('0.1Gi')).toEqual(amount(Math.round(2 ** 30 / 10) / 2 ** 30))
  })

  test.each([
    ['80', 'Add a unit: 80Gi, or 80Mi.'],
    ['0.5', 'Add a unit: 0.5Gi, or 0.5Mi.'],
    ['80G', 'Write 80Gi, or 80GB.'],
    ['80g', 'Write 80Gi, or 80GB.'],
    ['80gb', 'Write 80Gi, or 80GB.'],
    ['80gib', 'Write 80Gi.'],
    ['80mI', 'Write 80Mi.'],
    ['80k', 'Write 80Ki, or 80KB.'],
    ['2t', 'Write 2Ti, or 2TB.'],
    ['80x', 'Write 80Gi, or 80GB.'],
    ['80Pi', 'Write 80Gi, or 80GB.'],
    ['80constructor', 'Write 80Gi, or 80GB.'],
    ['-1Gi', 'Write a number and a unit, for example 80Gi.'],
    ['1e3Gi', 'Write a number and a unit, for example 80Gi.'],
    ['Gi', 'Write a number and a unit, for example 80Gi.'],
    ['', 'Write a number and a unit, for example 80Gi.'],
    ['80Gi 2', 'Write a number and a unit, for example 80Gi.'],
    ['x80Gi', 'Write a number and a unit, for example 80Gi.'],
    ['80  Gi', 'Write a number and a unit, for example 80Gi.'],
    ['1.1234567Gi', 'Write a number and a unit, for example 80Gi.'],
  ])('%s is not understood', (text, hint) => {
    expect(parseMemoryGib(text)).toEqual(form(hint))
  })

  test.each(['12345678901234567B', '99999999999999999999Ti', '1e99', '1E+30Gi'])('%s is too large', (text) => {
    expect(parseMemoryGib(text)).toMatchObject({ kind: 'wrong', why: 'range', message: 'This is too large.' })
  })

  test('is more than nothing and at most 1024Ti', () => {
    expect(parseMemoryGib('0Gi')).toEqual(range(POSITIVE, 'For example 80Gi.'))
    expect(parseMemoryGib('0.4B')).toEqual(range(POSITIVE, 'For example 80Gi.'))
    expect(parseMemoryGib('1024.001Ti')).toEqual(range('This is more than 1024Ti.', 'For example 80Gi.'))
    expect(parseMemoryGib('9999999999999999Ti')).toEqual(range('This is more than 1024Ti.', 'For example 80Gi.'))
  })

  test.each([
    [80, '80Gi'],
    [0.5, '512Mi'],
    [1024, '1Ti'],
    [1536, '1.5Ti'],
    [2000, '2000Gi'],
    [79.6, '79.6Gi'],
    [80e9 / 2 ** 30, '80GB'],
    [5e8 / 2 ** 30, '500MB'],
    [1234567 / 2 ** 30, '1234567B'],
    [1e3 / 2 ** 30, '1KB'],
    [2 ** -20, '1Ki'],
  ])('%d GiB is printed as %s', (gib, text) => {
    expect(printMemory(gib)).toBe(text)
  })
})

describe('card memory', () => {
  test.each([
    ['80Gi', 80],
    ['80GB', 80],
    ['80GiB', 80],
    ['512MB', 0.5],
    ['1TB', 1024],
    ['1048576KB', 1],
  ])('%s is %d in the GB that vendors print', (text, gib) => {
    expect(parseVramGib(text)).toEqual(amount(gib))
  })

  test('80G is not understood here either', () => {
    expect(parseVramGib('80G')).toEqual(form('Write 80Gi, or 80GB.'))
  })
})

describe('CPU', () => {
  test.each([
    ['16', 16],
    ['0.5', 0.5],
    ['2.125', 2.125],
    ['500m', 0.5],
    ['1m', 0.001],
    ['4096', 4096],
    ['4096000m', 4096],
  ])('%s', (text, cores) => {
    expect(parseCpu(text)).toEqual(amount(cores))
  })

  test.each(['', 'x', '-1', '1.2345', '16 cores', '1e3', '12345678', 'm', '16mm'])('%j is not understood', (text) => {
    expect(parseCpu(text)).toEqual(form('Write cores, for example 16, 0.5 or 500m.'))
  })

  test('is more than nothing and at most 4096 cores', () => {
    expect(parseCpu('0')).toEqual(range(POSITIVE, 'For example 16.'))
    expect(parseCpu('0.4m')).toEqual(range(POSITIVE, 'For example 16.'))
    expect(parseCpu('4096.001')).toEqual(range('This is more than 4096 cores.', 'For example 16.'))
  })

  test('is printed in cores', () => {
    expect([printCpu(16), printCpu(0.5), printCpu(100), printCpu(2.125)]).toEqual(['16', '0.5', '100', '2.125'])
  })
})

describe('time', () => {
  test.each([
    ['90s', 90],
    ['30m', 1800],
    ['1h30m', 5400],
    ['2d', 172_800],
    ['1d2h3m4s', 93_784],
    ['366d', 31_622_400],
    ['120m', 7200],
  ])('%s', (text, seconds) => {
    expect(parseSeconds(text)).toEqual(amount(seconds))
  })

  test.each(['', '1.5h', '30 m', '30m1h', '1w', '-1h', '30min', 'x', 'h'])('%j is not understood', (text) => {
    expect(parseSeconds(text)).toEqual(form('Write days, hours, minutes and seconds, for example 30m, 1h30m or 2d.'))
  })

  test('a bare number is asked for its unit', () => {
    expect(parseSeconds('48')).toEqual(form('Add a unit: 48s, 48m or 48h.'))
  })

  test('is more than nothing and at most 366 days', () => {
    expect(parseSeconds('0s')).toEqual(range(POSITIVE, 'For example 30m.'))
    expect(parseSeconds('1s')).toEqual(amount(1))
    expect(parseSeconds('366d1s')).toEqual(range('This is more than 366 days.', 'For example 30m.'))
  })

  test.each([
    [0, '0s'],
    [1, '1s'],
    [59, '59s'],
    [60, '1m'],
    [5400, '1h30m'],
    [86_400, '1d'],
    [93_784, '1d2h3m4s'],
  ])('%d seconds are printed as %s', (seconds, text) => {
    expect(printSeconds(seconds)).toBe(text)
  })
})

describe('shares', () => {
  test.each([
    ['25%', 0.25],
    ['0%', 0],
    ['100%', 1],
    ['33.3%', 33.3 / 100],
    ['12.25 %', 12.25 / 100],
  ])('%s', (text, share) => {
    expect(parseShare(text)).toEqual(amount(share))
  })

  test.each([
    ['25', 'Write 25%.'],
    ['0.25', 'Write 25%.'],
    ['0.95', 'Write 95%.'],
    ['.125', 'Write 12.5%.'],
    ['1.5', 'Write 1.5%.'],
    ['0.0', 'Write 0.0%.'],
    ['', 'Write a percentage, for example 25%.'],
    ['-5%', 'Write a percentage, for example 25%.'],
    ['5%%', 'Write a percentage, for example 25%.'],
    ['1.234%', 'Write a percentage, for example 25%.'],
    ['25x', 'Write a percentage, for example 25%.'],
    ['x25', 'Write a percentage, for example 25%.'],
  ])('%j is not understood', (text, hint) => {
    expect(parseShare(text)).toEqual(form(hint))
  })

  test('end at 100%', () => {
    expect(parseShare('100.01%')).toEqual(range('This is more than 100%.', 'For example 25%.'))
  })

  test('are printed as percentages', () => {
    expect([printShare(0.25), printShare(1), printShare(0), printShare(33.3 / 100)]).toEqual([
      '25%',
      '100%',
      '0%',
      '33.3%',
    ])
  })
})

describe('money', () => {
  test.each([
    ['12', 12],
    ['12.50', 12.5],
    ['$0.34', 0.34],
    ['0.000001', 0.000001],
    ['1000000', 1_000_000],
    ['0', 0],
  ])('%s', (text, usd) => {
    expect(parseUsd(text)).toEqual(amount(usd))
  })

  test.each(['', '-1', '1e3', '12.', '€5', '$', '0.0000001', '1,000', '$$1'])('%j is not understood', (text) => {
    expect(parseUsd(text)).toEqual(form('Write dollars, for example 12.50.'))
  })

  test('ends at a million', () => {
    expect(parseUsd('1000000.01')).toEqual(range('This is more than a million dollars.', 'For example 12.50.'))
  })

  test.each([
    [9.4, '$9.40'],
    [12, '$12.00'],
    [0.34, '$0.34'],
    [0.0125, '$0.0125'],
    [100, '$100.00'],
    [0, '$0.00'],
  ])('%d is printed as %s', (usd, text) => {
    expect(printUsd(usd)).toBe(text)
  })
})
