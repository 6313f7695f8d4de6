import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fleetOf, HEAD, nodeOf, problemsOf } from './fleet-file.suite.ts'
import { readFleetFile } from './fleet-file.ts'
import { fleetJsonSchema } from './schema.ts'

const NOWHERE = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

describe('a fleet file', () => {
  test('says as little as a node needs, and the rest is unknown', () => {
    expect(fleetOf('nodes: [{ name: n, cpu: 500m, memory: 80GB }]')).toEqual({
      fleet: {
        nodes: [
          {
            id: 'n',
            model: undefined,
            cpuMilli: 500,
            memoryMib: 76293,
            diskMib: undefined,
            cards: [],
            layout: undefined,
            domains: NOWHERE,
          },
        ],
      },
      tenants: [],
      hosts: [{ hostArch: undefined, driver: undefined, cuda: undefined, inbound: undefined, volumeGib: undefined }],
      warnings: [],
    })
  })

  test('says all there is to say', () => {
    const { fleet } = fleetOf(`nodes:
  - name: dgx-{01..02}
    gpu: { model: H100 SXM, count: 8, sharing: { mig: [6], share: [7] } }
    cpu: 224
    memory: 2Ti
    disk: 27Ti
    wiring: nvswitch
    zone: a
    fabric: ib-1
    rack: r7
    nvlink_domain: d1
    health: ok
health: { dgx-02/3: failing, dgx-02: degraded }`)
    const [one, two] = fleet.nodes
    expect(fleet.nodes.map(({ id }) => id)).toEqual(['dgx-01', 'dgx-02'])
    expect(one).toMatchObject({
      model: 'h100-sxm',
      cpuMilli: 224_000,
      memoryMib: 2 * 1024 * 1024,
      diskMib: 27 * 1024 * 1024,
      domains: { zone: 'a', fabric: 'ib-1', rack: 'r7', nvlinkDomain: 'd1' },
    })
    expect(one?.cards.map(({ parts }) => parts)).toEqual([...Array<string>(6).fill('none'), 'mig', 'share'])
    expect(one?.cards.map(({ health }) => health)).toEqual(Array<string>(8).fill('ok'))
    expect(two?.cards.map(({ health }) => health)).toEqual(
      Array.from({ length: 8 }, (_, card) => (card === 3 ? 'failing' : 'degraded')),
    )
    expect(one?.layout?.gbps.slice(0, 3)).toEqual([0, 450, 450])
    expect(two?.layout).toBe(one?.layout)
  })

  test('names one kind of wiring once, however many nodes have it', () => {
    const { nodes } = fleetOf(`nodes:
  - { name: a, cpu: 8, memory: 64Gi, gpu: { model: l40s, count: 4 }, wiring: pcie-dual-socket }
  - { name: b, cpu: 16, memory: 64Gi, gpu: { model: l40s, count: 4 }, wiring: pcie-dual-socket }
  - { name: c, cpu: 16, memory: 64Gi, gpu: { model: l40s, count: 4 }, wiring: pcie-dual-socket-pairs }`).fleet
    expect(nodes[1]?.layout).toBe(nodes[0]?.layout)
    expect(nodes[2]?.layout).not.toBe(nodes[0]?.layout)
  })

  test.each([
    ['h100-80', 'h100-80'],
    ['H100 80GB', 'h100-80'],
    ['NVIDIA A100-SXM4-80GB', 'a100-80-sxm'],
    ['RTX 4090', 'rtx-4090'],
  ])('knows the card under the name %s', (name, id) => {
    expect(nodeOf(`gpu: { model: ${name} }`)).toMatchObject({
      model: id,
      cards: [{ health: undefined, parts: 'none' }],
    })
  })

  test.each([
    ['berth: v1\nkind: inventory\nnodes: [{ name: n, cpu: 1, memory: 1Gi }]\n', 'VALUE_INVALID'],
    ['berth: v1\nkind: fleet\nnodes: []\n', 'VALUE_RANGE'],
    ['berth: v1\nkind: fleet\n', 'KEY_MISSING'],
    ['', 'YAML_EMPTY'],
    ['a: [', 'YAML_SYNTAX'],
  ])('that is none is told so: %j', (text, code) => {
    const read = readFleetFile(text, 'fleet.yaml')
    expect('problems' in read && read.problems.map((problem) => problem.code)).toEqual([code])
  })

  test('takes bytes too, and says where they are no text', () => {
    expect(
      readFleetFile(new TextEncoder().encode(`${HEAD}nodes: [{ name: n, cpu: 1, memory: 1Gi }]`), '-'),
    ).toHaveProperty('fleet')
    const read = readFleetFile(new Uint8Array([98, 58, 32, 255]), 'fleet.yaml')
    expect('problems' in read && read.problems[0]?.code).toBe('YAML_ENCODING')
  })

  test('has problems with the line they stand on, in the order of the lines', () => {
    const read = readFleetFile(`${HEAD}nodes:\n  - name: n\n    cpu: 4x\n    memory: 64\n    gpus: {}\n`, 'fleet.yaml')
    expect('problems' in read && read.problems.map(({ place, sourceLine }) => [place?.line, sourceLine])).toEqual([
      [5, '    cpu: 4x'],
      [6, '    memory: 64'],
      [7, '    gpus: {}'],
    ])
  })

  test('is not read further when its nodes are not understood', () => {
    expect(
      problemsOf(
        'nodes: [{ name: n, cpu: 1, memory: 1Gi, gpu: { model: riddle-9000 } }]\nrunning: [{ name: t, node: m, cpu: 1, memory: 1Gi }]',
      ),
    ).toEqual([
      '3:55 VALUE_INVALID riddle-9000 | There is no card with this name. | For example: h100-sxm, A100 SXM 80 GB, L40S.',
    ])
  })

  test('has a schema for editors, with an explanation of every key', () => {
    const text = JSON.stringify(fleetJsonSchema())
    expect(text).toContain('"title":"Berth fleet"')
    for (const key of ['wiring', 'nvlink_domain', 'checkpoint_age', 'profile']) expect(text).toContain(`"${key}"`)
    expect(text).not.toContain('"description":""')
  })
})

describe('the examples', () => {
  const folder = join(import.meta.dirname, '../../../examples/fleets')
  const names = readdirSync(folder)

  test('are there', () => {
    expect(names.length).toBeGreaterThanOrEqual(2)
  })

  test.each(names)('%s is read without a problem', (name) => {
    const read = readFleetFile(readFileSync(join(folder, name)), name)
    expect('problems' in read ? read.problems : []).toEqual([])
    expect('fleet' in read && read.fleet.nodes.length).toBeGreaterThan(3)
  })
})
