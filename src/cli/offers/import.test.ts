import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST } from '../harness.suite.ts'

const files = { 'inventory.yaml': INVENTORY, 'llama-70b.yaml': MANIFEST, 'c.yaml': CONFIG }

describe('berth offers import', () => {
  test('writes a snapshot that plans like the source it was made from', async () => {
    const made = await berth(['offers', 'import', '--offers', 'inventory.yaml', '--to', 'a.snapshot'], { files })
    expect(made.code).toBe(EXIT.ok)
    expect(made.out).toMatch(
      /^a\.snapshot: 4 offers in 4 classes of hardware, \d KiB, written in 0 ms\n\nNext: {2}berth plan MANIFEST --offers a\.snapshot\n$/,
    )
    const world = { files: Object.fromEntries(made.files) }
    const [source, snapshot] = await Promise.all([
      berth(['plan', 'llama-70b.yaml', '--offers', 'inventory.yaml', '-o', 'json'], world),
      berth(['plan', 'llama-70b.yaml', '--offers', 'a.snapshot', '-o', 'json'], world),
    ])
    expect(snapshot.code).toBe(EXIT.ok)
    expect(snapshot.out).toBe(source.out)
  })

  test('keeps the words of the source: what the infrastructure file adds is laid over them once, when planning', async () => {
    const made = await berth(['offers', 'import', '--config', 'c.yaml', '--to', 'a.snapshot'], { files })
    const world = { files: Object.fromEntries(made.files) }
    const plan = await berth(
      ['plan', 'llama-70b.yaml', '--config', 'c.yaml', '--offers', 'a.snapshot', '-o', 'json'],
      world,
    )
    expect(JSON.parse(plan.out).usd_per_hour).toBe(4.7)
  })

  test('gives the figures as data', async () => {
    const { out } = await berth(
      ['offers', 'import', '--offers', 'inventory.yaml', '--to', 'a.snapshot', '-o', 'json'],
      {
        files,
      },
    )
    expect(JSON.parse(out)).toEqual({
      to: 'a.snapshot',
      offers: 4,
      classes: 4,
      bytes: expect.any(Number),
      version: expect.any(String),
      elapsed_ms: 0,
    })
  })

  test('says so when it cannot write', async () => {
    const { code, out, err } = await berth(['offers', 'import', '--offers', 'inventory.yaml', '--to', 'a.snapshot'], {
      files,
      readOnly: ['a.snapshot'],
    })
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain('FILE_NOT_WRITTEN\n    The snapshot could not be written to a.snapshot.')
  })

  test('needs to know where to', async () => {
    const { code, err } = await berth(['offers', 'import', '--offers', 'inventory.yaml'], { files })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain("required option '--to <file>' not specified")
  })
})
