import { describe, expect, test } from 'vitest'
import { CODES } from '../../codes/codes.ts'
import { emptyPlane, furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS } from '../harness.suite.ts'

describe('berth explain CODE', () => {
  test('says what the code means, what to do and whether waiting helps', async () => {
    const { code, out, err } = await berth(['explain', 'SOLD_OUT'])
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    expect(out).toBe(`SOLD_OUT: sold out

  what     a reason why an offer is turned down (requirement stock)
  why      The provider lists the offer but has none left.
  fix      Wait, or loosen the requirements that turn down other offers.
  waiting  helps: it passes by itself
`)
  })

  test('breaks long sentences at 100 columns and says nothing about waiting where there is nothing to wait for', async () => {
    const { out } = await berth(['explain', 'vram_gb_as_mib'])
    expect(out).toBe(`VRAM_GB_AS_MIB: memory in GB under a MiB heading

  what     a repair made to a row of offers
  why      The number is too small for the named card by a factor of 1,024, and fits it exactly when
           read as GB.
  fix      Berth reads the number as GB.
`)
  })

  test('takes any spelling of the code', async () => {
    const [plain, loose] = await Promise.all([berth(['explain', 'NO_NVLINK']), berth(['explain', 'no-nvlink'])])
    expect(loose.out).toBe(plain.out)
  })

  test('a typing mistake gets a suggestion and ends with 5', async () => {
    const { code, out, err } = await berth(['explain', 'NO_NVLNK'])
    expect(code).toBe(EXIT.notFound)
    expect(out).toBe('')
    expect(err).toContain('CODE_UNKNOWN\n    There is no code NO_NVLNK.\n    Did you mean NO_NVLINK?')
  })

  test('what is like nothing gets the way to the list', async () => {
    const { code, err } = await berth(['explain', 'llama'])
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('`berth explain` without a code lists all of them.')
    expect(err).not.toContain('Did you mean')
  })

  test('gives the same as data', async () => {
    const { out } = await berth(['explain', 'sold_out', '-o', 'json'])
    expect(JSON.parse(out)).toEqual({
      code: 'SOLD_OUT',
      kind: 'reason',
      title: 'sold out',
      why: 'The provider lists the offer but has none left.',
      fix: 'Wait, or loosen the requirements that turn down other offers.',
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
      'Repairs: what was corrected in a row of offers',
      'Next:  berth explain CODE',
    ])
  })

  test('gives the list as data', async () => {
    const { out } = await berth(['explain', '-o', 'json'])
    expect(JSON.parse(out)).toHaveLength(CODES.length)
  })
})

describe('berth explain NAME', () => {
  const big = MANIFEST.replace('count: 4', 'count: 64')

  test('says where each slot is and why there', async () => {
    const { code, out } = await berth(['explain', 'llama-70b'], { control: furnishedPlane })
    expect(code).toBe(EXIT.ok)
    expect(out.startsWith('llama-70b: 1 of 1 up, serving.\n')).toBe(true)
    expect(out).toContain('  0 is there because: the best that fits, of 1 that fit among 3 offers, 60 s ago\n')
    expect(out.endsWith('Next:  berth events llama-70b\n')).toBe(true)
  })

  test('says what it waits for, what would help, and what was refused lately', async () => {
    const control = emptyPlane()
    await control.apply({ project: 'default', text: big, file: 'w', idempotencyKey: 'k' })
    await control.pass(5)
    await control.abandon()
    const times = { atMs: control.nowMs() - 60_000, untilMs: control.nowMs() + 120_000 }
    const body = { provider: 'northwind', region: 'north-2', instance: undefined, why: 'sold-out', ...times } as const
    await control.store.commit({ writes: [{ kind: 'refusal', key: 'northwind/north-2', body }] })
    const { out } = await berth(['explain', 'llama-70b'], { control: () => control })
    const [head] = out.split('\n')
    expect(head).toMatch(
      /^llama-70b has waited 5 s \(0 of 1 up\): 1 offer turned down: has no GPU \[NO_GPU\], next look in \d+ s\.$/,
    )
    expect(out).toContain('If it were placed now:\n\nllama-70b: no place. No offer meets count 64.')
    expect(out).toContain('count: 4  instead of 64  1 more, from $9.40/h')
    expect(out).toContain('  northwind/north-2: sold out, 60 s ago; asked again in 2 min\n')
    expect(out).toContain(
      'Next:  berth explain llama-70b --all      berth explain NO_GPU      berth events llama-70b\n',
    )
  })

  test('says how it ended, and why it was set aside', async () => {
    const control = furnishedPlane()
    const end = { state: 'failed', why: 'exit code 1, 5 times', atMs: NOW_MS - 60_000 } as const
    await control.rewrite('llama-70b', { status: { end }, slot: undefined })
    const world = { control: () => control }
    expect((await berth(['explain', 'llama-70b'], world)).out).toContain(
      'llama-70b has failed, ended 60 s ago: exit code 1, 5 times\n',
    )
    await control.rewrite('llama-70b', { status: { setAside: 'its row makes no sense' } })
    expect((await berth(['explain', 'llama-70b'], world)).out).toContain(
      'llama-70b is set aside: its row makes no sense.',
    )
  })

  test('a code wins over a workload, and no control plane is needed for one', async () => {
    const { out, targets } = await berth(['explain', 'sold-out'], { control: furnishedPlane })
    expect(out).toContain('SOLD_OUT: sold out')
    expect(targets).toEqual([])
  })

  test('what is neither gets what was meant by the control plane', async () => {
    const { code, err } = await berth(['explain', 'llama-70'], { control: furnishedPlane })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean llama-70b?')
  })
})
