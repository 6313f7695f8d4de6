import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFleetFile } from './fleet-file/fleet-file.ts'
import { WORDS } from './fleet-file/wiring.ts'
import { readTraceFile } from './trace-file.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8')

/** The samples of one format, in the order of the page. */
function samples(format: 'yaml' | 'csv'): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${format}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)
}

describe('docs/fleet.md', () => {
  test('has samples that are read without a problem', () => {
    const [nodes = '', wiring = '', running = ''] = samples('yaml')
    const attic = `  - name: attic
    gpu: { model: rtx-a6000, count: 2, sharing: share }
    cpu: 8
    memory: 64Gi
${wiring}  - { name: cpu-1`
    const read = readFleetFile(nodes.replace('  - { name: cpu-1', attic) + running, 'fleet.yaml')
    expect('problems' in read ? read.problems : []).toEqual([])
    expect('fleet' in read && [read.fleet.nodes.length, read.tenants.length]).toEqual([14, 7])
  })

  test('has a trace that is read without a problem', () => {
    const [trace = ''] = samples('csv')
    const read = readTraceFile(trace, 'trace.csv')
    expect('problems' in read ? read.problems : []).toEqual([])
    expect(
      'arrivals' in read && read.arrivals.map(({ request, nodes }) => [request.part.kind, request.count, nodes]),
    ).toEqual([
      ['whole', 8, 4],
      ['share', 1, 1],
      ['slice', 1, 1],
    ])
  })

  test('names every word for a wiring', () => {
    for (const word of WORDS) expect(PAGE).toContain(`\`${word}\``)
  })
})
