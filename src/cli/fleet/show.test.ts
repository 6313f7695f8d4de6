import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

const FLEET = `berth: v1
kind: fleet
nodes:
  - name: dgx-1
    gpu: { model: h100-sxm, count: 8, sharing: { mig: [6, 7] } }
    cpu: 224
    memory: 2Ti
    wiring: nvswitch-dual-socket
    zone: a
    rack: r1
  - name: l40s-{1..2}
    gpu: { model: L40S, count: 8 }
    cpu: 96
    memory: 768Gi
    wiring: pcie-dual-socket-pairs
    zone: b
  - name: attic
    gpu: { model: RTX A6000, count: 3, sharing: share }
    cpu: 24
    memory: 192Gi
health: { l40s-2/5: failing, attic/2: degraded }
running:
  - { name: llama-70b, node: dgx-1, cpu: 64, memory: 512Gi, cards: [0, 1, 2, 3], restart: inference }
  - { name: notebook-1, node: dgx-1, cpu: 4, memory: 32Gi, cards: [6], slice: { profile: 1g.10gb, start: 0 } }
  - { name: rerank, node: dgx-1, cpu: 8, memory: 64Gi, cards: [6], slice: { profile: 3g.40gb, start: 4 } }
  - { name: comfy, node: "l40s-{1..2}", cpu: 16, memory: 96Gi, cards: [0, 1] }
  - { name: old-job, node: l40s-2, cpu: 8, memory: 64Gi, cards: [5] }
  - { name: notebook, node: attic, cpu: 2, memory: 16Gi, cards: [0], share: 30% }
  - { name: cron, node: attic, cpu: 500m, memory: 1Gi }
`

function show(rest = '', text = FLEET): ReturnType<typeof berth> {
  return berth(['fleet', 'show', 'fleet.yaml', ...words(rest)], { files: { 'fleet.yaml': text } })
}

describe('berth fleet show', () => {
  test('says what is free, of which kind, and where', async () => {
    const { code, out, err } = await show()
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`fleet.yaml: 16 of 27 cards free on 4 nodes, 2 partly used, 1 failing
8 tenants; 321 of 440 CPUs and 2,895Gi of 3,776Gi of memory free

  KIND                NODES  CARDS  FREE  PART  FULL  FAIL    FREE ISLAND  CPU FREE  MEM FREE
  8 × L40S                2     16    11     0     4     1   2 at 32 GB/s       152   1,280Gi
  8 × H100 SXM 80 GB      1      8     3     1     4     0  3 at 450 GB/s       148   1,440Gi
  3 × RTX A6000           1      3     2     1     0     0              ?        21     175Gi

2 MIG slices in use: 1 × 1g.10gb, 1 × 3g.40gb

  DOMAIN     NODES  IDLE  CARDS  FREE  PART  FULL  FAIL  CPU FREE  MEM FREE
  zone a         1     0      8     3     1     4     0       148   1,440Gi
    rack r1      1     0      8     3     1     4     0       148   1,440Gi
  zone b         2     0     16    11     0     4     1       152   1,280Gi

Worth knowing:
  line 27: old-job is on card 5 of l40s-2, which is failing.

Next:  berth fleet show fleet.yaml dgx-1      berth fleet show fleet.yaml -o json
`)
  })

  test('draws a node with NVSwitch and MIG slices in use', async () => {
    const { code, out } = await show('dgx-1')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`dgx-1: 3 of 8 cards free, 1 partly used; 148 of 224 CPUs and 1,440Gi of 2,048Gi of memory free
8 × H100 SXM 80 GB · zone a · rack r1

  ┌─ NUMA node 0 ───────────────────────────────────────────────────────────────────────┐
  │ ┌ 0 ───────────────┐ ┌ 1 ───────────────┐ ┌ 2 ───────────────┐ ┌ 3 ───────────────┐ │
  │ │ ████████████████ │ │ ████████████████ │ │ ████████████████ │ │ ████████████████ │ │
  │ │ llama-70b        │ │ llama-70b        │ │ llama-70b        │ │ llama-70b        │ │
  │ └──────────────────┘ └──────────────────┘ └──────────────────┘ └──────────────────┘ │
  └─────────────────────────────────────────────────────────────────────────────────────┘
  ┌─ NUMA node 1 ───────────────────────────────────────────────────────────────────────┐
  │ ┌ 4 ───────────────┐ ┌ 5 ───────────────┐ ┌ 6 MIG ───────────┐ ┌ 7 MIG ───────────┐ │
  │ │ ················ │ │ ················ │ │ 1g······3g────── │ │ ················ │ │
  │ │ free             │ │ free             │ │ notebook-1, rer… │ │ free             │ │
  │ └──────────────────┘ └──────────────────┘ └──────────────────┘ └──────────────────┘ │
  └─────────────────────────────────────────────────────────────────────────────────────┘

  ANY TWO AT  MOST FREE  ISLANDS
    450 GB/s          3  0-7

  CARD  HELD BY                     STILL FITS
  0-3   llama-70b                   -
  4 5   -                           a whole card
  6     notebook-1 (1g.10gb at 0),  2g.20gb at 2; 1g.20gb at 2; 1g.10gb at 1-3
        rerank (3g.40gb at 4)
  7     -                           a whole card, or 7g.80gb at 0;
                                    4g.40gb at 0; 3g.40gb at 0 4;
                                    2g.20gb at 0 2 4; 1g.20gb at 0 2 4 6;
                                    1g.10gb at 0-6

Next:  berth fleet show fleet.yaml      berth fleet show fleet.yaml dgx-1 -o json
`)
  })

  test('draws a node with two sockets and PCIe switches', async () => {
    expect((await show('l40s-2')).out)
      .toBe(`l40s-2: 5 of 8 cards free, 1 failing; 72 of 96 CPUs and 608Gi of 768Gi of memory free
8 × L40S · zone b

  ┌─ NUMA node 0 ───────────────────────────────────────────────────────────────────────┐
  │ ┌ 0 ───────────────┐ ┌ 1 ───────────────┐ ┌ 2 ───────────────┐ ┌ 3 ───────────────┐ │
  │ │ ████████████████ │ │ ████████████████ │ │ ················ │ │ ················ │ │
  │ │ comfy            │ │ comfy            │ │ free             │ │ free             │ │
  │ └──────────────────┘ └──────────────────┘ └──────────────────┘ └──────────────────┘ │
  │ ╰ switch 0 ─────────────────────────────╯ ╰ switch 1 ─────────────────────────────╯ │
  └─────────────────────────────────────────────────────────────────────────────────────┘
  ┌─ NUMA node 1 ───────────────────────────────────────────────────────────────────────┐
  │ ┌ 4 ───────────────┐ ┌ 5 failing ───────┐ ┌ 6 ───────────────┐ ┌ 7 ───────────────┐ │
  │ │ ················ │ │ ████████████████ │ │ ················ │ │ ················ │ │
  │ │ free             │ │ old-job          │ │ free             │ │ free             │ │
  │ └──────────────────┘ └──────────────────┘ └──────────────────┘ └──────────────────┘ │
  │ ╰ switch 2 ─────────────────────────────╯ ╰ switch 3 ─────────────────────────────╯ │
  └─────────────────────────────────────────────────────────────────────────────────────┘

  ANY TWO AT  MOST FREE  ISLANDS
     32 GB/s          2  0 1 · 2 3 · 4 5 · 6 7
     21 GB/s          3  0-3 · 4-7
     16 GB/s          5  0-7

  CARD     HELD BY  STILL FITS
  0 1      comfy    -
  2-4 6 7  -        a whole card
  5        old-job  nothing, it is failing

Next:  berth fleet show fleet.yaml      berth fleet show fleet.yaml l40s-2 -o json
`)
  })

  test('draws a node with unknown wiring', async () => {
    expect((await show('attic')).out)
      .toBe(`attic: 2 of 3 cards free, 1 partly used; 21 of 24 CPUs and 175Gi of 192Gi of memory free
3 × RTX A6000

  ┌─ wiring unknown ───────────────────────────────────────────────┐
  │ ┌ 0 shared ────────┐ ┌ 1 shared ────────┐ ┌ 2 degraded ──────┐ │
  │ │ █████··········· │ │ ················ │ │ ················ │ │
  │ │ notebook         │ │ free             │ │ free             │ │
  │ └──────────────────┘ └──────────────────┘ └──────────────────┘ │
  └────────────────────────────────────────────────────────────────┘

The wiring between its cards is unknown, so no two cards count as nearer than others.
Add \`wiring\` to the node: a keyword, or the output of nvidia-smi topo -m.

  CARD  HELD BY          STILL FITS
  0     notebook (30 %)  a share of 70 %
  1 2   -                a whole card, or shares of it

Without cards: cron

Next:  berth fleet show fleet.yaml      berth fleet show fleet.yaml attic -o json
`)
  })

  test('says the same for scripts', async () => {
    const fleet = JSON.parse((await show('-o json')).out)
    expect(fleet).toMatchObject({
      nodes: 4,
      idle_nodes: 0,
      cards: 27,
      states: { free: 16, partly: 2, full: 8, failing: 1 },
      cpu: 440,
      cpu_free: 321.5,
      tenants: 8,
      slices: [
        { model: 'h100-sxm', profile: '1g.10gb', count: 1 },
        { model: 'h100-sxm', profile: '3g.40gb', count: 1 },
      ],
      warnings: [{ line: 27, message: 'old-job is on card 5 of l40s-2, which is failing.' }],
    })
    expect(fleet.kinds[0]).toMatchObject({
      model: 'l40s',
      cards_per_node: 8,
      nodes: 2,
      free_island: { cards: 2, gbps: 32 },
    })
    expect(fleet.domains.map(({ level, name, depth }: Record<string, unknown>) => [level, name, depth])).toEqual([
      ['zone', 'a', 0],
      ['rack', 'r1', 1],
      ['zone', 'b', 0],
    ])
    const node = JSON.parse((await show('dgx-1 -o json')).out)
    expect(node).toMatchObject({ node: 'dgx-1', model: 'h100-sxm', domains: { zone: 'a', rack: 'r1' }, cpu_free: 148 })
    expect(node.cards[6]).toEqual({
      card: 6,
      state: 'partly',
      sharing: 'mig',
      numa: 1,
      held_by: [
        { name: 'notebook-1', taken: { kind: 'slice', profile: '1g.10gb', start: 0 } },
        { name: 'rerank', taken: { kind: 'slice', profile: '3g.40gb', start: 4 } },
      ],
      still_fits: {
        kind: 'slices',
        slices: [
          { name: '2g.20gb', gib: 20, starts: [2] },
          { name: '1g.20gb', gib: 20, starts: [2] },
          { name: '1g.10gb', gib: 10, starts: [1, 2, 3] },
        ],
      },
    })
    expect(node.wiring.islands).toEqual([{ cards: [0, 1, 2, 3, 4, 5, 6, 7], gbps: 450 }])
    expect(node.tenants[0]).toEqual({
      name: 'llama-70b',
      cards: [0, 1, 2, 3],
      cpu: 64,
      memory_gib: 512,
      restart: 'inference',
      priority: 0,
    })
  })

  test('a node that is not there gets a suggestion where one is near', async () => {
    const near = await show('dgx-2')
    expect(near.code).toBe(EXIT.invalid)
    expect(near.err).toContain('The fleet has no node dgx-2.\n    Did you mean dgx-1?')
    expect((await show('elsewhere')).err).toContain('Nodes of this fleet: dgx-1, l40s-1, l40s-2, attic.')
  })

  test('a file that is not there or not right ends with 3', async () => {
    const missing = await berth(words('fleet show nowhere.yaml'))
    expect(missing.code).toBe(EXIT.invalid)
    expect(missing.err).toContain('There is no file nowhere.yaml to read.')
    const wrong = await show('', FLEET.replace('h100-sxm', 'h100-smx'))
    expect(wrong.code).toBe(EXIT.invalid)
    expect(wrong.out).toBe('')
    expect(wrong.err).toContain('fleet.yaml has 1 problem\n\n  VALUE_INVALID at fleet.yaml:5:19')
    expect(wrong.err).toContain('Did you mean h100-sxm?')
  })

  test('reads standard input and openb node lists', async () => {
    const files = { '-': 'sn,cpu_milli,memory_mib,gpu,model\nn-0,64000,262144,2,P100\n' }
    const { out } = await berth(words('fleet show -'), { files })
    expect(out).toContain(
      'stdin: 2 of 2 cards free on 1 node\n0 tenants; 64 of 64 CPUs and 256Gi of 256Gi of memory free',
    )
    expect(out).toContain('\nNo zones, fabrics, racks or NVLink domains are known.\n')
    expect(out).toContain('Next:  berth fleet show - n-0')
  })

  test('a node without cards is described in words', async () => {
    const text =
      'berth: v1\nkind: fleet\nnodes: [{ name: c, cpu: 2, memory: 1Gi, rack: r1 }]\nrunning: [{ name: db, node: c, cpu: 2, memory: 1Gi }]'
    expect((await show('c', text)).out).toBe(`c: no cards; 0 of 2 CPUs and 0Mi of 1Gi of memory free
rack r1

No CPU and no memory is left: nothing more can be placed here.

Without cards: db

Next:  berth fleet show fleet.yaml      berth fleet show fleet.yaml c -o json
`)
  })

  test('shows a dozen domains, and all when asked', async () => {
    const nodes = Array.from(
      { length: 30 },
      (_, rack) => `  - { name: n-${rack}, cpu: 1, memory: 1Gi, rack: r${rack} }`,
    )
    const text = ['berth: v1', 'kind: fleet', 'nodes:', ...nodes].join('\n')
    const some = (await show('', text)).out
    expect(some.match(/\n {2}rack r/g)).toHaveLength(12)
    expect(some).toContain('\n  and 18 more (--all)\n')
    expect((await show('--all', text)).out.match(/\n {2}rack r/g)).toHaveLength(30)
  })

  test('never gets wider than a hundred columns, however long the names are', async () => {
    const long = 'a-name-that-goes-on-and-on-'.repeat(4)
    const text = FLEET.replaceAll('notebook-1', long)
      .replaceAll('comfy', long)
      .replaceAll('rerank', `${long}2`)
      .replace('rack: r1', `rack: ${long}\n    fabric: ${long}\n    nvlink_domain: ${long}`)
      .replace('zone: a', `zone: ${long}`)
      .replaceAll('cron', `${long}3`)
    for (const node of ['', 'dgx-1', 'l40s-2', 'attic']) {
      const { out, code } = await show(node, text)
      expect(code).toBe(EXIT.ok)
      const wide = out.split('\n').filter((line) => [...line].length > 100 && !line.includes('berth fleet show'))
      expect(wide).toEqual([])
    }
  })

  test('a name cannot disturb the terminal', async () => {
    const { out } = await show('attic', FLEET.replace('name: notebook,', 'name: "\\u001b[31m",'))
    expect(out).toContain('\\u{1b}[31m')
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(out).not.toMatch(/\u001b/)
  })
})
