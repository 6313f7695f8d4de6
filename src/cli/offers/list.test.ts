import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, words } from '../harness.suite.ts'

const files = { 'inventory.yaml': INVENTORY }

function list(flags: string, more: Readonly<Record<string, string>> = {}): ReturnType<typeof berth> {
  return berth(['offers', 'list', ...words(flags)], { files: { ...files, ...more } })
}

describe('berth offers list', () => {
  test('shows offers side by side, cheapest first', async () => {
    const { code, out, err } = await list('--offers inventory.yaml')
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`  WHERE              MACHINE    HARDWARE                    CPU  MEMORY   $/h  SPOT $/h  STOCK
  northwind/north-1  nw-cpu-16  no GPU                       16    64Gi  0.41         -  ?
  northwind/north-2  nw-l4-1    1 × L4                        8    32Gi  0.46         -  sold out
  northwind/north-1  nw-h100-4  4 × H100 SXM 80 GB, NVLink   64   800Gi  9.40      5.20  available

1 row under quarantine left out (berth offers check)
`)
  })

  test('says how many more there are', async () => {
    const { out } = await list('--offers inventory.yaml --limit 1')
    expect(out).toContain('\nand 2 more (--limit 3)\n')
  })

  test('keeps to an accelerator under any of its names', async () => {
    const { out } = await list('--offers inventory.yaml --gpu H100-SXM -o json')
    expect(JSON.parse(out)).toMatchObject({ matching: 1, quarantined: 1, offers: [{ instance: 'nw-h100-4' }] })
  })

  test('a name for one family stands for all of it, and several can be given', async () => {
    const { out } = await list('--offers inventory.yaml --gpu h100-80 l4 -o json')
    const { offers } = JSON.parse(out)
    expect(offers.map(({ instance }: { instance: string }) => instance)).toEqual(['nw-l4-1', 'nw-h100-4'])
  })

  test('a name for several families stands for all that it may mean', async () => {
    const { code, out } = await list('--offers inventory.yaml --gpu H100 -o json')
    expect(code).toBe(EXIT.ok)
    const instances = JSON.parse(out).offers.map(({ instance }: { instance: string }) => instance)
    expect(instances).toEqual(['nw-h100-4'])
  })

  test('an unknown name gets a suggestion where one is near', async () => {
    const near = await list('--offers inventory.yaml --gpu rtx-409')
    expect(near.code).toBe(EXIT.usage)
    expect(near.err).toContain("'rtx-409' is invalid. No accelerator has this name. Did you mean rtx-")
    const far = await list('--offers inventory.yaml --gpu potato')
    expect(far.err).toContain("'potato' is invalid. No accelerator has this name.\n")
  })

  test('a list that would be empty is a sentence', async () => {
    const provider = await list('--offers inventory.yaml --provider harbor')
    expect(provider.code).toBe(EXIT.ok)
    expect(provider.out).toBe('There are no offers from harbor. Known providers: northwind.\n')
    const gpu = await list('--offers inventory.yaml --provider northwind --gpu t4')
    expect(gpu.out).toBe(
      'There are no offers with t4 from northwind.\n1 row under quarantine left out (berth offers check)\n',
    )
    const empty = await list('--offers e.yaml', { 'e.yaml': 'berth: v1\nkind: inventory\noffers: []\n' })
    expect(empty.out).toBe('There are no offers.\n')
    const nobody = await list('--offers e.yaml --provider x', { 'e.yaml': 'berth: v1\nkind: inventory\noffers: []\n' })
    expect(nobody.out).toBe('There are no offers from x. Known providers: none.\n')
  })

  test('shows prices and labels of the infrastructure file', async () => {
    const { out } = await list('--config c.yaml --gpu l4 -o json', { 'c.yaml': CONFIG })
    expect(JSON.parse(out).offers[0]).toMatchObject({ usd_per_hour: 0.23, terms: 'on-demand', residency: 'eu' })
  })

  test('sorts by provider', async () => {
    const { out } = await list('--offers inventory.yaml --sort provider -o json')
    const names = JSON.parse(out).offers.map(({ instance }: { instance: string }) => instance)
    expect(names).toEqual(['nw-cpu-16', 'nw-h100-4', 'nw-l4-1'])
  })

  test.each(['0', '-1', 'x', '1.5', '9999999999'])('a limit of %s is refused', async (limit) => {
    const { code, err } = await list(`--offers inventory.yaml --limit=${limit}`)
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Give a whole number of at least 1.')
  })

  test('without offers it says where to get them', async () => {
    const { code, err } = await list('')
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('OFFERS_MISSING')
  })
})

test('a name that several families go by lists them all', async () => {
  const { code, out } = await berth(words('offers list --offers inventory.yaml --gpu H100'), {
    files: { 'inventory.yaml': INVENTORY },
  })
  expect(code).toBe(EXIT.ok)
  expect(out).toContain('nw-h100-4')
  expect(out).not.toContain('nw-l4-1')
})

describe('nodes of a fleet', () => {
  const fleet =
    'berth: v1\nkind: fleet\nnodes:\n  - { name: n1, gpu: { model: l40s, count: 4 }, cpu: 64, memory: 256Gi }\n'
  const platform = (prices: string) =>
    `berth: v1\nkind: config\nproviders:\n  harbor: { offers: [fleet.yaml]${prices} }\npolicies:\n  default: {}\n`
  const said = 'Of your own nodes, $/h is what all cards of a node cost: work pays for those that it takes.'

  test('have the price of all their cards, which is said', async () => {
    const more = { 'fleet.yaml': fleet, 'c.yaml': platform(', prices: [{ match: "*", usd_per_hour: 8 }]') }
    const { out } = await list('--config c.yaml', more)
    expect(out).toMatch(/n1 .* 8\.00 /)
    expect(out).toContain(`\n\n${said}\n`)
    const json = await list('--config c.yaml -o json', more)
    expect(JSON.parse(json.out).offers).toEqual([
      expect.objectContaining({ instance: 'n1', shared: true, on_demand_usd_per_hour: 8 }),
    ])
  })

  test('without a price need no explanation', async () => {
    const { out } = await list('--config c.yaml', { 'fleet.yaml': fleet, 'c.yaml': platform('') })
    expect(out).toContain('n1')
    expect(out).not.toContain(said)
  })
})

describe('berth offers list without --offers', () => {
  test('asks the control plane, where one is known', async () => {
    const there = await berth(words('offers list --url http://127.0.0.1:1 --gpu h100-80'), { control: furnishedPlane })
    expect([there.code, there.err]).toEqual([EXIT.ok, ''])
    const { out } = await list('--offers inventory.yaml --gpu h100-80')
    expect(there.out.replace('\nRead: northwind now\n', '')).toBe(out.replace(/\n1 row under quarantine.*\n/, ''))
    expect(there.targets).toHaveLength(1)
  })

  test('offers that are named are not asked for elsewhere, and both at once is a mistake', async () => {
    const here = await berth(words('offers list --offers inventory.yaml'), { files, control: furnishedPlane })
    expect([here.code, here.targets]).toEqual([EXIT.ok, []])
    const both = await list('--offers inventory.yaml --project research')
    expect([both.code, both.err]).toEqual([
      EXIT.usage,
      expect.stringContaining('--project, which ask the control plane'),
    ])
  })

  test('asks for no more than the control plane shows at once', async () => {
    const control = furnishedPlane()
    const limits: unknown[] = []
    const asked = {
      ...control,
      offers: (query: Parameters<typeof control.offers>[0]) => {
        limits.push(query.limit)
        return control.offers(query)
      },
    }
    await berth(words('offers list --url http://127.0.0.1:1 --limit 9000'), { control: () => asked })
    expect(limits).toEqual([500])
  })
})
