import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words, type Ran } from '../harness.suite.ts'

const FLEET = `berth: v1
kind: fleet
nodes:
  - name: vm
    cpu: 2
    memory: 8Gi
    host_arch: amd64
`

function job(name: string, cpu: number): string {
  return `berth: v1\nkind: job\nname: ${name}\nimage: acme/job:1\ncommand: [work]\nresources: { cpu: ${cpu} }\n`
}

const files = { 'fleet.yaml': FLEET, 'j1.yaml': job('j1', 1.5), 'j2.yaml': job('j2', 1.5), 'j3.yaml': job('j3', 0.5) }

function plan(line: string): Promise<Ran> {
  return berth(['plan', ...words(line)], { files })
}

describe('several manifests', () => {
  test('are planned together: each takes its room before the next', async () => {
    const { code, out } = await plan('j1.yaml j2.yaml --offers fleet.yaml')
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toContain('j1: 1 of 1 replica has a place')
    expect(out).toContain('j2: no place.')
    expect(out).toContain('j1 of this plan fills vm, 1 CPU short')
    expect(out).not.toContain('sold out')
    expect(out).toContain('Together: 2 workloads, $0.00/h; no place for all of j2.')
  })

  test('that fit together all have a place, and are one answer in JSON', async () => {
    const { code, out } = await plan('j1.yaml j3.yaml --offers fleet.yaml -o json')
    expect(code).toBe(EXIT.ok)
    expect(
      JSON.parse(out).plans.map(({ workload, fits }: { workload: string; fits: boolean }) => [workload, fits]),
    ).toEqual([
      ['j1', true],
      ['j3', true],
    ])
  })

  test('cannot be saved as one plan', async () => {
    const { code, err } = await plan('j1.yaml j3.yaml --offers fleet.yaml --save p.json')
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('--save and --optimal take a single manifest')
  })
})
