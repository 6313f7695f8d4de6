import { describe, expect, test } from 'vitest'
import type { Files } from '../ports/files.ts'
import type { SourceOffers } from '../ports/offer-source.ts'
import { fleetSource } from './fleet-source.ts'

const FLEET = `# our own
berth: v1
kind: fleet
nodes:
  - { name: "n-{1..2}", gpu: { model: l40s, count: 2 }, cpu: 16, memory: 64Gi, host_arch: amd64, driver: 570.1, cuda: "12.8", inbound: true, volume: 2Ti }
  - { name: cpu-1, cpu: 8, memory: 32Gi }
running:
  - { name: a, node: n-1, cpu: 1, memory: 1Gi, cards: [0] }
`

function read(path: string, text: string): SourceOffers | undefined {
  const files: Files = {
    read: (asked) => (asked === path ? new TextEncoder().encode(text) : undefined),
    list: (asked) => (asked === 'folder' ? [] : undefined),
    write: () => false,
  }
  return fleetSource.read(path, files)
}

describe('a fleet as a source of offers', () => {
  test('is called after its file, and has its nodes, what runs and what is known of the hosts', () => {
    const capacity = read('clusters/hamburg.yaml', FLEET)
    expect(capacity).toMatchObject({
      kind: 'fleet',
      fleet: {
        region: 'hamburg',
        fleet: { nodes: [{ id: 'n-1' }, { id: 'n-2' }, { id: 'cpu-1' }] },
        tenants: [{ name: 'a', spot: { node: 0, cards: [0] } }],
      },
      hosts: [
        { hostArch: 'amd64', driver: '570.1', cuda: '12.8', inbound: true, volumeGib: 2048 },
        { hostArch: 'amd64' },
        { hostArch: undefined, driver: undefined, cuda: undefined, inbound: undefined, volumeGib: undefined },
      ],
    })
  })

  test('may be JSON, come from standard input, or be a node list', () => {
    const json = JSON.stringify({ berth: 'v1', kind: 'fleet', nodes: [{ name: 'n', cpu: 1, memory: '1Gi' }] })
    expect(read('a.json', json)).toMatchObject({ kind: 'fleet', fleet: { region: 'a' } })
    expect(read('-', FLEET)).toMatchObject({ kind: 'fleet', fleet: { region: 'stdin' } })
    const list = 'sn,cpu_milli,memory_mib,gpu,model\nx,1000,1024,1,T4\n'
    expect(read('nodes.csv', list)).toMatchObject({ kind: 'fleet', fleet: { region: 'nodes' }, hosts: [] })
  })

  test('leaves other files to other sources', () => {
    expect(read('inventory.yaml', 'berth: v1\nkind: inventory\noffers: []\n')).toBeUndefined()
    expect(read('table.csv', 'provider,region,instance\na,b,c\n')).toBeUndefined()
    expect(read('notes.txt', FLEET)).toBeUndefined()
    expect(read('folder', FLEET)).toBeUndefined()
    expect(fleetSource.read('missing.yaml', { read: () => undefined, list: () => undefined, write: () => false })).toBe(
      undefined,
    )
  })

  test('tells what is wrong with it', () => {
    const capacity = read('hamburg.yaml', FLEET.replace('model: l40s', 'model: l40sx'))
    expect(capacity?.kind).toBe('problems')
    expect(capacity).toMatchObject({ problems: [{ place: { file: 'hamburg.yaml', line: 5 } }] })
  })

  test('has a schema for editors', () => {
    expect(fleetSource.schema?.()).toMatchObject({ title: 'Berth fleet' })
  })
})
