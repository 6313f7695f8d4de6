import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST, words } from '../harness.suite.ts'

/** The manifest with other last lines. */
function manifest(rest: string, kind = 'service'): string {
  return `berth: v1\nkind: ${kind}\nname: w\nimage: ghcr.io/acme/w:1\n${rest}`
}

describe('berth validate', () => {
  test('says what is in a valid file', async () => {
    const files = { 'llama-70b.yaml': `${MANIFEST}replicas: 2\n` }
    const { code, out, err } = await berth(['validate', 'llama-70b.yaml'], { files })
    expect(out).toBe('llama-70b.yaml: ok (service, 2 replicas, 4 × GPU ≥ 80Gi)\n')
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
  })

  test('finds providers that berth up could not use, each in its line', async () => {
    const text = `berth: v1
kind: config
default_policy: any
providers:
  here: { kind: local, settings: { runtime: process, cpus: 3 } }
  rented: { kind: runpd }
  paper: { trust: internal }
policies:
  any: { objective: cheapest }
`
    const { code, err } = await berth(words('validate berth.config.yaml'), { files: { 'berth.config.yaml': text } })
    expect(err).toContain('berth.config.yaml:5:54')
    expect(err).toContain('here: cpus: there is no such setting; did you mean cpu?')
    expect(err).toContain('berth.config.yaml:6:13')
    expect(err).toContain('Did you mean runpod?')
    expect(code).toBe(EXIT.invalid)
  })

  test.each([
    ['a service without GPUs', manifest('resources: { cpu: 4 }\n'), 'service, 1 replica, no GPU'],
    [
      'a job on several nodes',
      manifest('nodes: 2\nresources: { gpu: { count: 8 } }\n', 'job'),
      'job, 1 replica, 2 nodes, 8 × GPU',
    ],
    [
      'a range of replicas',
      manifest('replicas: { min: 2, max: 2 }\nresources: { gpu: { min_usable_vram: 20Gi } }\n'),
      'service, 2 replicas, 1 × GPU ≥ 20Gi',
    ],
    [
      'roles',
      manifest(
        'roles:\n  prefill: { resources: { gpu: { count: 2 } }, replicas: 3 }\n  decode: { resources: { cpu: 1 } }\n',
      ),
      'service; prefill: 3 replicas, 2 × GPU; decode: 1 replica, no GPU',
    ],
    ['an infrastructure file', CONFIG, 'config, 1 provider, 1 policy'],
    [
      'a fleet',
      'berth: v1\nkind: fleet\nnodes:\n  - { name: dgx-01, gpu: { model: h100-sxm, count: 8 }, cpu: 128, memory: 2Ti }\n',
      'fleet, 1 node, 0 tenants',
    ],
    ['an inventory', INVENTORY, 'inventory, 4 offers, 1 quarantined: see berth offers check'],
  ])('recognises %s', async (_, text, summary) => {
    const { code, out, err } = await berth(['validate', 'a.yaml'], { files: { 'a.yaml': text } })
    expect(err).toBe('')
    expect(out).toBe(`a.yaml: ok (${summary})\n`)
    expect(code).toBe(EXIT.ok)
  })

  test('a table of offers is an inventory', async () => {
    const csv = 'provider,region,instance,usd_per_hour\np,r,i,1\n'
    const { out } = await berth(['validate', 'a.csv'], { files: { 'a.csv': csv } })
    expect(out).toBe('a.csv: ok (inventory, 1 offer)\n')
  })

  test('reads an inventory from standard input once', async () => {
    const { out } = await berth(['validate', '-'], { files: { '-': INVENTORY } })
    expect(out).toBe('stdin: ok (inventory, 4 offers, 1 quarantined: see berth offers check)\n')
  })

  test('one bad file does not stop the others; every problem is reported', async () => {
    const files = { 'a.yaml': manifest('nme: x\nreplica: 2\n'), 'b.yaml': MANIFEST, 'c.yaml': '' }
    const { code, out, err } = await berth(['validate', 'a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'], { files })
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('b.yaml: ok (service, 1 replica, 4 × GPU ≥ 80Gi)\n')
    expect(err).toContain('KEY_UNKNOWN at a.yaml:5:1')
    expect(err).toContain('KEY_UNKNOWN at a.yaml:6:1')
    expect(err).toContain('YAML_EMPTY at c.yaml:1:1')
    expect(err).toContain('There is no file d.yaml to read.')
    expect(err.split('More about a code:  berth explain ')).toHaveLength(2)
  })

  test('problems in infrastructure files and inventories are reported with their line', async () => {
    const files = {
      'c.yaml': 'berth: v1\nkind: config\npolicys: {}\n',
      'i.yaml': 'berth: v1\nkind: inventory\nofers: []\n',
    }
    const { code, err } = await berth(['validate', 'c.yaml', 'i.yaml'], { files })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('KEY_UNKNOWN at c.yaml:3:1')
    expect(err).toContain('KEY_UNKNOWN at i.yaml:3:1')
    expect(err).toContain('3 | policys: {}')
  })

  test('a key without effect gives a warning: the file is valid, and the warning says what to do meanwhile', async () => {
    const files = { 'a.yaml': manifest('replicas: { min: 1, max: 8 }\nresources: { cpu: 1 }\n') }
    const { code, out, err } = await berth(['validate', 'a.yaml'], { files })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe('a.yaml: ok (service, 1 to 8 replicas, no GPU)\n')
    expect(err).toBe(`a.yaml has 1 warning

  NO_EFFECT_YET at a.yaml:5:21
        5 | replicas: { min: 1, max: 8 }
          |                     ^^^
    \`replicas.max\` has no effect yet: Berth does not scale by itself; it keeps \`min\` replicas running.
    Set the number by hand: berth scale NAME N
`)
    const json = await berth(['validate', 'a.yaml', '-o', 'json'], { files })
    expect(json.err).toBe('')
    const warning = { code: 'NO_EFFECT_YET', line: 5, column: 21, found: 'replicas.max' }
    expect(JSON.parse(json.out)).toMatchObject([{ valid: true, problems: [], warnings: [warning] }])
  })

  test('gives every file as data, valid or not', async () => {
    const files = { 'a.yaml': manifest('nme: x\nresources: { cpu: 1 }\n'), 'b.yaml': MANIFEST, 'c.yaml': '- 1' }
    const { code, out, err } = await berth(['validate', 'a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', '-o', 'json'], {
      files,
    })
    expect(code).toBe(EXIT.invalid)
    expect(err).toBe('')
    const [a, b, c, d] = JSON.parse(out)
    expect(a).toMatchObject({ file: 'a.yaml', valid: false, kind: 'service' })
    expect(a.problems).toEqual([
      { code: 'KEY_UNKNOWN', line: 5, column: 1, found: 'nme', message: expect.any(String), hint: expect.any(String) },
    ])
    expect(b).toEqual({ file: 'b.yaml', valid: true, kind: 'service', problems: [], warnings: [] })
    expect(c).toMatchObject({ file: 'c.yaml', valid: false })
    expect(c).not.toHaveProperty('kind')
    expect(d).toMatchObject({ file: 'd.yaml', valid: false, problems: [{ code: 'FILE_MISSING', found: 'd.yaml' }] })
  })

  test('bytes that are no text are a problem like any other', async () => {
    const { code, err } = await berth(['validate', 'a.yaml'], {
      files: { 'a.yaml': new Uint8Array([0x62, 0xff, 0xfe]) },
    })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('YAML_ENCODING at a.yaml:1:2')
  })
})

describe('what stops the reader hides nothing else', () => {
  test.each([
    ['an anchor and its alias', 'image: &a x:1\nenv: { A: *a }', ['KEY_UNKNOWN', 'YAML_ALIAS', 'YAML_ALIAS']],
    ['a merge key', 'image: x:1\nenv: { <<: *a }', ['KEY_UNKNOWN', 'YAML_ALIAS', 'YAML_ALIAS']],
    ['a second document', 'image: x:1\n---\nberth: v1', ['KEY_UNKNOWN', 'YAML_MANY_DOCUMENTS']],
  ])('%s', async (_, rest, codes) => {
    const text = `berth: v1\nkind: service\nnam: x\nresources: {}\n${rest}\n`
    const { code, out } = await berth(words('validate w.yaml -o json'), { files: { 'w.yaml': text } })
    expect(code).toBe(EXIT.invalid)
    const [file] = JSON.parse(out)
    expect(file.problems.map((problem: { code: string }) => problem.code)).toEqual(codes)
  })
})
