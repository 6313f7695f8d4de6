import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { berth, textAt, words, type Ran } from '../harness.suite.ts'

const FOLDER = join(import.meta.dirname, '../../../examples/own-fleet')
const SHIPPED = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [`examples/own-fleet/${name}`, readFileSync(join(FOLDER, name), 'utf8')]),
)

function shipped(manifest: string, flags = ''): Promise<Ran> {
  const config = '--config examples/own-fleet/berth.config.yaml'
  return berth(words(`plan examples/own-fleet/${manifest}.yaml ${config} ${flags}`), { files: SHIPPED })
}

/** The answer: everything above the evidence, without trailing spaces. */
function answer({ out }: Ran): readonly string[] {
  const lines = out.split('\n')
  return lines.slice(
    0,
    lines.findIndex((line) => line.includes('looked at')),
  )
}

function lines(text: string): readonly string[] {
  return text.replace(/^\n/, '').split('\n')
}

describe('a plan over a fleet of one’s own and a cloud', () => {
  test('two cards go onto one PCIe switch; three replicas fill the fleet and then the cloud, with the reason', async () => {
    const ran = await shipped('chat')
    expect(ran.code).toBe(0)
    expect(answer(ran)).toEqual(
      lines(`
chat: 3 of 3 replicas have a place, $1.90/h in all

  REPLICA  WHERE              MACHINE    HARDWARE               DRIVER      START    $/h  WHY
  0        harbor/hall-2      l40s-1     cards 2 3 of 8 × L40S  570.133.20  ~20 s   0.00  cheapest of 3 that fit
  1        harbor/hall-2      l40s-1     cards 6 7 of 8 × L40S  570.133.20  ~20 s   0.00  cheapest of 3 that fit
  2        northwind/north-1  nw-l40s-2  2 × L40S, PCIe         570.133.20  ~2 min  1.90  better ones are full, +$1.90

On your own machines:
  0  l40s-1  an island of 2 at 32 GB/s, NUMA node 0; leaves 3 cards free, an island of 2 whole
  1  l40s-1  an island of 2 at 32 GB/s, NUMA node 1; leaves 1 card free

Why not on harbor/hamburg:
  Nearest        on l40s-1 comfy (inference, may move), 1 GPU short
  Would help     waiting for l40s-1
`),
    )
  })

  test('10Gi go onto the smallest slice, next to existing slices', async () => {
    expect(answer(await shipped('notebook'))).toEqual(
      lines(`
notebook-maria: 1 of 1 replica has a place, $0.00/h in all

  REPLICA  WHERE          MACHINE  HARDWARE                                      DRIVER      START   $/h  WHY
  0        harbor/hall-1  a100-1   1g.10gb at 1 on card 0 of 8 × A100 SXM 80 GB  570.133.20  ~20 s  0.00  cheapest of 16 that fit

On your own machines:
  0  a100-1  the smallest slice that fits, NUMA node unknown; leaves 2g.20gb on the card
`),
    )
  })

  test('a gang that does not fit says what is in its way, what would help and what could move', async () => {
    const ran = await shipped('train')
    expect(ran.code).toBe(2)
    expect(answer(ran)).toEqual(
      lines(`
train-13b: no place. 1 offer fits, but 2 nodes are needed together within one rack.

What holds it up on harbor/hamburg:
  Nearest        rack r1: 1 of 2 nodes free (dgx-02); on dgx-01 llama-70b (inference, may move), 4 GPUs short
  Would help     nodes: 1 (fits now) · waiting for dgx-01
  Would free it  move llama-70b from dgx-01 (cards 0-3) to dgx-04 (cards 4-7), starting there first; costs 1 restart (only proposed)
`),
    )
  })

  test('room for a role’s reserve is kept and named', async () => {
    expect(answer(await shipped('qwen'))).toEqual(
      lines(`
qwen-32b: 3 of 3 replicas have a place, $0.00/h in all

  ROLE       WHERE          MACHINE  HARDWARE                         DRIVER      START   $/h  WHY
  prefill 0  harbor/hall-1  dgx-01   card 4 of 8 × H100 SXM 80 GB     570.133.20  ~20 s  0.00  cheapest of 5 that fit
  prefill 1  harbor/hall-1  dgx-01   card 5 of 8 × H100 SXM 80 GB     570.133.20  ~20 s  0.00  cheapest of 5 that fit
  decode 0   harbor/hall-1  dgx-01   cards 6 7 of 8 × H100 SXM 80 GB  570.133.20  ~20 s  0.00  cheapest of 5 that fit

On your own machines:
  prefill 0  dgx-01  a single card, NUMA node 1; leaves 3 cards free
  prefill 1  dgx-01  a single card, NUMA node 1; leaves 2 cards free
  decode 0   dgx-01  an island of 8 at 450 GB/s, NUMA node 1; fills dgx-01

Reserve of prefill: room for 1 more replica is kept free, harbor/hamburg dgx-04 (card 4)
`),
    )
  })

  test('the data has all of it', async () => {
    const { asks, chosen } = JSON.parse((await shipped('chat', '-o json')).out)
    expect(chosen[0].own).toEqual({
      fleet: 'harbor/hamburg',
      node: 'l40s-1',
      domains: { zone: 'hall-2', rack: 'r4' },
      cards: [2, 3],
      cards_in_node: 8,
      wiring: 'known',
      island: { cards: [2, 3], gbps: 32 },
      gbps: 32,
      numa: [0],
      leaves: {
        idle_cards: 3,
        whole_island: 2,
        slices: [],
        is_full: false,
        cpu: 64,
        memory_gib: 544,
        disk_gib: 7168,
      },
    })
    expect(chosen[2].own).toBeUndefined()
    expect(asks[0].waits).toMatchObject([
      {
        fleet: 'harbor/hamburg',
        fits_when_empty: true,
        nearest: { missing: 1, blocked: [{ node: 'l40s-1', tenants: [{ name: 'comfy' }, { planned: true }, {}] }] },
        helps: [{ kind: 'wait', nodes: ['l40s-1'] }],
      },
    ])
    const { asks: waiting } = JSON.parse((await shipped('train', '-o json')).out)
    expect(waiting[0].waits[0].would_free).toEqual({
      moves: [
        {
          name: 'llama-70b',
          from: { node: 'dgx-01', cards: [0, 1, 2, 3] },
          to: { node: 'dgx-04', cards: [4, 5, 6, 7] },
          how: 'start-first',
          restart: 'inference',
        },
      ],
      restarts: 1,
      lost_gpu_seconds: 0,
      nodes: ['dgx-02', 'dgx-01'],
    })
  })

  test.each(['chat', 'notebook', 'train', 'qwen'])(
    '%s can be saved and replayed without the fleet file',
    async (name) => {
      const ran = await shipped(name, '--save p.json')
      const files = Object.fromEntries(['p.json', 'p.offers'].map((path) => [path, ran.files.get(path) ?? '']))
      const replayed = await berth(words('replay p.json'), { files })
      expect(replayed.out).toMatch(/^same plan: /)
      expect(JSON.parse(textAt(ran, 'p.json')).report.offers.looked_at).toBe(16)
    },
  )

  test('two plans that differ in nothing but the cards differ', async () => {
    const ran = await shipped('notebook', '--save a.json')
    const busier = `${SHIPPED['examples/own-fleet/hamburg.yaml']}  - { name: late, node: a100-1, cpu: 1, memory: 1Gi, cards: [0], slice: { profile: 1g.10gb, start: 1 } }\n`
    const files = { ...Object.fromEntries(ran.files), 'examples/own-fleet/hamburg.yaml': busier }
    const config = '--config examples/own-fleet/berth.config.yaml'
    const later = await berth(words(`plan examples/own-fleet/notebook.yaml ${config} --save b.json`), { files })
    const { out } = await berth(words('diff a.json b.json'), { files: Object.fromEntries(later.files) })
    expect(out).toContain('harbor/hall-1 a100-1 1g.10gb at 1 on card 0, $0.00/h')
    expect(out).toContain('harbor/hall-1 a100-1 1g.10gb at 2 on card 0, $0.00/h')
  })
})

const RACKS = `berth: v1
kind: fleet
nodes:
  - { name: "n-{1..3}", gpu: { model: h100-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64, zone: a, rack: r1 }
  - { name: "n-{4..5}", gpu: { model: h100-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64, zone: a, rack: r2 }
  - { name: "n-{6..7}", gpu: { model: a100-80-sxm, count: 8 }, cpu: 100, memory: 1Ti, host_arch: amd64, zone: a, rack: r1 }
`

function gang(nodes: number, within: string, more = ''): string {
  return `berth: v1
kind: job
name: train
image: a/b:1
resources: { cpu: 10, memory: 100Gi, gpu: { count: 8, min_vram: 80Gi${more} } }
nodes: ${nodes}
${within === '' ? '' : `topology: { within: ${within} }\n`}`
}

function planned(manifest: string, fleet: string): Promise<Ran> {
  return berth(words('plan w.yaml --offers fleet.yaml'), {
    files: { 'w.yaml': manifest, 'fleet.yaml': fleet },
  })
}

describe('gangs in a fleet', () => {
  test('two nodes go into the rack that they fill, and leave the larger one whole', async () => {
    expect(answer(await planned(gang(2, 'rack', ', arch: hopper'), RACKS))).toEqual(
      lines(`
train: 1 of 1 replica (2 machines) has a place, $0.00/h in all

  REPLICA   WHERE    MACHINE  HARDWARE                         DRIVER  START   $/h  WHY
  0 node 0  fleet/a  n-4      cards 0-7 of 8 × H100 SXM 80 GB  ?       ?      0.00  cheapest of 5 that fit
  0 node 1  fleet/a  n-5      cards 0-7 of 8 × H100 SXM 80 GB  ?       ?      0.00  cheapest of 5 that fit

On your own machines:
  0 node 0  n-4  an island of 8 at 450 GB/s, NUMA node unknown; fills n-4
  0 node 1  n-5  an island of 8 at 450 GB/s, NUMA node unknown; fills n-5
  All nodes of the gang are in one rack, r2.
`),
    )
  })

  test('all nodes have the same cards, though others would do', async () => {
    const { out } = await planned(gang(5, 'zone'), RACKS)
    expect(out).toContain('All nodes of the gang are in one zone, a.')
    expect(out.match(/H100 SXM 80 GB /g)).toHaveLength(5)
    const six = await planned(gang(6, ''), RACKS)
    expect(six.code).toBe(2)
    expect(six.out).toContain(
      'Nearest        the whole fleet: 5 of 6 nodes free; 1 more node would be needed, but there are none',
    )
    expect(six.out).toContain('Would help     nodes: 5 (fits now)')
  })

  test('a wider bound is named where it would help', async () => {
    const { out } = await planned(gang(4, 'rack'), RACKS)
    expect(out).toContain('train: no place. 7 offers fit, but 4 nodes are needed together within one rack.')
    expect(out).toContain('Would help     within: zone (fits now) · nodes: 3 (fits now)')
  })

  test('says so when the racks are unknown', async () => {
    const { out } = await planned(gang(2, 'rack'), RACKS.replaceAll(/, zone: a, rack: r\d/g, ''))
    expect(out).toContain('Nearest        no node is known to be in a rack')
    expect(out).toContain('Would help     no `topology.within` (fits now) · nodes: 1 (fits now)')
  })
})

describe('a fleet that cannot serve', () => {
  const FULL = `berth: v1
kind: fleet
nodes:
  - { name: n-1, gpu: { model: l40s, count: 2, sharing: share }, cpu: 16, memory: 64Gi, host_arch: amd64 }
running:
  - { name: a, node: n-1, cpu: 4, memory: 8Gi, cards: [0] }
  - { name: b, node: n-1, cpu: 4, memory: 8Gi, cards: [1], share: 60%, restart: inference }
`
  const one = (gpu: string): string =>
    `berth: v1\nkind: service\nname: w\nimage: a/b:1\nresources: { cpu: 1, memory: 1Gi, gpu: { ${gpu} } }\n`

  test('names who holds the cards, and what cannot be moved', async () => {
    const { code, out } = await planned(one('count: 1'), FULL)
    expect(code).toBe(2)
    expect(out).toContain('Nearest        on n-1 a (no checkpoint, stays), b (inference, may move)')
    expect(out).toContain('yes')
  })

  test('still gives a share', async () => {
    const { code, out } = await planned(one('count: 1, min_vram: 12Gi, sharing: any'), FULL)
    expect(code).toBe(0)
    expect(out).toContain('25 % of card 1 of 2 × L40S')
    expect(out).toContain('a share is enough, NUMA node unknown; leaves 15 % of the card')
  })

  test('gives processors without cards', async () => {
    const text = one('count: 1').replace(', gpu: { count: 1 }', '')
    const { out } = await planned(text, FULL)
    expect(out).toContain('no card is needed; leaves 7 CPU and 47Gi')
  })

  test('says so when its host is unknown', async () => {
    const { out } = await planned(one('count: 1'), FULL.replace(', host_arch: amd64', '').replace(/running:[^]*/, ''))
    expect(out).toContain('does not say whether its host is amd64')
  })

  test('is read with all its problems', async () => {
    const { code, err } = await planned(one('count: 1'), FULL.replace('cards: [0]', 'cards: [7]'))
    expect(code).toBe(3)
    expect(err).toContain('There is no card 7: cards are numbered from 0 to 1.')
  })
})
