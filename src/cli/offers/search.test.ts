import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST, words } from '../harness.suite.ts'

const files = { 'inventory.yaml': INVENTORY, 'c.yaml': CONFIG }

function search(flags: string): ReturnType<typeof berth> {
  return berth(['offers', 'search', '--offers', 'inventory.yaml', ...words(flags)], { files })
}

describe('berth offers search --need', () => {
  const all = { 'inventory.yaml': INVENTORY, 'w.yaml': MANIFEST }

  test('means what the manifest needs, and so does berth offers --need', async () => {
    const long = await berth(words('offers search --need w.yaml --offers inventory.yaml'), { files: all })
    const short = await berth(words('offers --need w.yaml --offers inventory.yaml'), { files: all })
    expect(long.out).toContain('1 of 4 offers fit')
    expect([short.code, short.out]).toEqual([EXIT.ok, long.out])
  })

  test('goes with no flag that says something else', async () => {
    const { code, err } = await berth(words('offers search --need w.yaml --min-vram 24Gi'), { files: all })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain("'--need <manifest>' cannot be used with option '--min-vram <amount>'")
  })

  test('asks the control plane, which says how old its offers are', async () => {
    const { out } = await berth(words('offers --need w.yaml'), { files: all, control: furnishedPlane })
    expect(out).toMatch(/^1 of 3 offers fit\n/)
    expect(out).toContain('\nRead: northwind now\n')
    const data = await berth(words('offers --need w.yaml -o json'), { files: all, control: furnishedPlane })
    expect(JSON.parse(data.out).read).toMatchObject([{ provider: 'northwind', complete: true }])
  })

  test('says of which day files are, and that a price is no stock', async () => {
    const dated = { files: all, changedMs: { 'inventory.yaml': Date.UTC(2026, 10, 2) } }
    const { out } = await berth(words('offers list --offers inventory.yaml'), dated)
    expect(out).toContain('\nFrom files: inventory.yaml of 2026-11-02.')
    expect(out).toContain('Where STOCK is ?, it is a price list, which does not say what can be had.')
  })
})

describe('berth offers search', () => {
  test('lists what fits', async () => {
    const { code, out } = await search('--gpu-count 4 --min-vram 80Gi --interconnect nvlink --arch hopper,blackwell')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`1 of 4 offers fit

  WHERE              MACHINE    HARDWARE                    CPU  MEMORY   $/h  SPOT $/h  STOCK
  northwind/north-1  nw-h100-4  4 × H100 SXM 80 GB, NVLink   64   800Gi  9.40      5.20  available
`)
  })

  test('without a word about GPUs any machine will do', async () => {
    const { out } = await search('--cpu 16 --memory 64Gi --limit 1')
    expect(out).toContain('2 of 4 offers fit')
    expect(out).toContain('nw-cpu-16')
    expect(out).toContain('\nand 1 more (--limit 2)\n')
  })

  test('says why nothing fits, and what would', async () => {
    const { code, out } = await search('--min-vram 16Gi --gpu-count 8')
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toMatch(/^Nothing fits\. /)
    expect(out).toContain('4 offers looked at; 4 turned down:')
    expect(out).toContain('fewer than 8 GPUs in one machine')
    expect(out).toContain('count: 4')
  })

  test('spot machines count only where they are allowed', async () => {
    const plain = await search('--gpu-count 4 -o json')
    expect(JSON.parse(plain.out).offers[0]).toMatchObject({ terms: 'on-demand', usd_per_hour: 9.4 })
    const spot = await search('--gpu-count 4 --spot -o json')
    expect(JSON.parse(spot.out).offers[0]).toMatchObject({ terms: 'spot', usd_per_hour: 5.2 })
    const only = await search('--cpu 1 --spot only -o json')
    expect(JSON.parse(only.out)).toMatchObject({ fits: true, fitting: 1 })
  })

  test('keeps to a policy of the infrastructure file', async () => {
    const { code, out } = await search('--config c.yaml --policy cheap --gpu-count 4 -o json')
    expect(code).toBe(EXIT.doesNotFit)
    expect(JSON.parse(out)).toMatchObject({
      fits: false,
      fitting: 0,
      looked_at: 4,
      policy: { name: 'cheap' },
      offers: [],
      refused: { OVER_PRICE: 1 },
    })
  })

  test('takes every key of a manifest that says what a machine must be', async () => {
    const { code, out, err } = await search(
      '--gpu-count 1 --min-vram 20Gi --min-usable-vram 20Gi --vendor any --min-compute-capability 8.0 --min-driver 535 --min-cuda 12.0 --interconnect any --sharing any --cpu 4 --memory 16Gi --disk 1Gi --host-arch amd64,arm64 --nodes 1 -o json',
    )
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
    expect(JSON.parse(out).offers).toHaveLength(1)
  })

  test('wrong values are reported by flag, all at once', async () => {
    const { code, out, err } = await search('--gpu-count four --min-vram 80 --interconnect nvlnk')
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain('--gpu-count four: ')
    expect(err).toContain('--min-vram 80: This is not a valid amount.\n    Add a unit: 80Gi')
    expect(err).toContain('--interconnect nvlnk: ')
    expect(err).toContain('Did you mean nvlink?')
    expect(err).not.toContain(' at flags')
  })

  test('a value cannot become more than a value', async () => {
    const { code, err } = await berth(['offers', 'search', '--offers', 'inventory.yaml', '--memory', '1Gi\nnodes: 9'], {
      files,
    })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('QUANTITY_INVALID')
  })
})

describe('berth offers search without --offers', () => {
  const there = (flags: string) =>
    berth(['offers', 'search', '--url', 'http://127.0.0.1:1', ...words(flags)], { control: furnishedPlane })

  test('asks the control plane, and says the same', async () => {
    for (const flags of ['--gpu-count 4 --min-vram 80Gi', '--min-vram 300Gi']) {
      const [far, near] = await Promise.all([there(flags), search(flags)])
      // The file has one offer more, whose name is a riddle.
      const rows = (text: string): string =>
        text
          .replaceAll(/\d of \d offers fit|\d offers looked at; \d turned/g, 'some')
          .replaceAll(/ +/g, ' ')
          .split('\n')
          .filter((row) => !row.includes('cannot be believed') && !row.startsWith('Read: '))
          .join('\n')
          .trimEnd()
      expect([far.code, rows(far.out)]).toEqual([near.code, rows(near.out)])
      expect(far.targets).toHaveLength(1)
    }
  })

  test('a wrong flag is found before any request', async () => {
    const { code, err, targets } = await there('--min-vram lots')
    expect([code, targets]).toEqual([EXIT.invalid, []])
    expect(err).toContain('--min-vram lots')
  })
})
