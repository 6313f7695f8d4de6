import { describe, expect, test } from 'vitest'
import { CODES } from '../core/codes.ts'
import { EXIT } from './cli.ts'
import { berth } from './harness.suite.ts'

describe('berth explain CODE', () => {
  test('says what the code means, what to do and whether waiting helps', async () => {
    const { code, out, err } = await berth(['explain', 'SOLD_OUT'])
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    expect(out).toBe(`SOLD_OUT: sold out

  what     a reason why an offer is turned down (requirement stock)
  why      The provider lists it and has none left.
  fix      Wait, or loosen what keeps other offers out.
  waiting  helps: it passes by itself
`)
  })

  test('breaks long sentences at 100 columns and says nothing about waiting where there is nothing to wait for', async () => {
    const { out } = await berth(['explain', 'vram_gb_as_mib'])
    expect(out).toBe(`VRAM_GB_AS_MIB: memory in GB under a MiB heading

  what     a repair made to a row of offers
  why      The number is off by a factor of 1,024 from the card that the row names, and fits it
           exactly when read as GB.
  fix      Berth reads the number as GB.
`)
  })

  test('takes any spelling of the code', async () => {
    const [plain, loose] = await Promise.all([berth(['explain', 'NO_NVLINK']), berth(['explain', 'no-nvlink'])])
    expect(loose.out).toBe(plain.out)
  })

  test('a typing mistake gets a suggestion and ends with 3', async () => {
    const { code, out, err } = await berth(['explain', 'NO_NVLNK'])
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain('CODE_UNKNOWN\n    There is no code NO_NVLNK.\n    Did you mean NO_NVLINK?')
  })

  test('what is like nothing gets the way to the list', async () => {
    const { code, err } = await berth(['explain', 'llama'])
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('`berth explain` without a code lists them all.')
    expect(err).not.toContain('Did you mean')
  })

  test('gives the same as data', async () => {
    const { out } = await berth(['explain', 'sold_out', '-o', 'json'])
    expect(JSON.parse(out)).toEqual({
      code: 'SOLD_OUT',
      kind: 'reason',
      title: 'sold out',
      why: 'The provider lists it and has none left.',
      fix: 'Wait, or loosen what keeps other offers out.',
      requirement: 'stock',
      waiting: 'helps',
    })
  })
})

describe('berth explain', () => {
  test('lists every code in its group, one line each', async () => {
    const { code, out } = await berth(['explain'])
    expect(code).toBe(EXIT.ok)
    const lines = out.split('\n')
    for (const doc of CODES) {
      expect(lines.filter((line) => line.startsWith(`  ${doc.code} `))).toHaveLength(1)
    }
    expect(lines.filter((line) => /^\w/.test(line))).toEqual([
      'Reasons: why an offer is turned down',
      'Errors: what is wrong with a file or a command',
      'Quarantine: why a row of offers is not trusted',
      'Repairs: what was mended in a row of offers',
      'Next:  berth explain CODE',
    ])
  })

  test('gives the list as data', async () => {
    const { out } = await berth(['explain', '-o', 'json'])
    expect(JSON.parse(out)).toHaveLength(CODES.length)
  })
})
