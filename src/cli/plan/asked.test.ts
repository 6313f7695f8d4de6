import { describe, expect, test } from 'vitest'
import { findCode } from '../../codes/codes.ts'
import { emptyPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST, textAt, words, type Ran, type World } from '../harness.suite.ts'

const BIG = MANIFEST.replace('count: 4', 'count: 64')
const files = { 'w.yaml': MANIFEST, 'big.yaml': BIG, 'inventory.yaml': INVENTORY, 'c.yaml': CONFIG }

function plan(line: string, world: World = {}): Promise<Ran> {
  return berth(['plan', ...words(line)], { files, control: emptyPlane, ...world })
}

describe('berth plan where a control plane is known', () => {
  test('asks it, and says how to have it run', async () => {
    const { code, out, targets } = await plan('w.yaml --project research')
    expect(code).toBe(EXIT.ok)
    expect(targets.map(({ url }) => url)).toEqual(['http://127.0.0.1:7700'])
    expect(out).toContain('llama-70b: 1 of 1 replica has a place, $9.40/h in all\n')
    expect(out).toContain('3 offers looked at; 2 turned down:')
    expect(out).toMatch(
      /\nNext: {2}berth apply w\.yaml --project research {6}berth plan w\.yaml --project research --all {6}berth explain [A-Z_]+\n$/,
    )
  })

  test('ends with 2 when nothing fits, and does not offer to apply that', async () => {
    const { code, out } = await plan('big.yaml')
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).not.toContain('berth apply')
  })

  test('says in words what no provider can do', async () => {
    const text = `${MANIFEST.replace('kind: service', 'kind: job')}command: [python]\nnodes: 2\nframework: ray\n`
    const { out } = await plan('ray.yaml', { files: { ...files, 'ray.yaml': text } })
    expect(out).toContain('no place. No offer fits: its provider does not run Ray over several nodes.\n')
  })

  test('explains what the headline names', async () => {
    const needs = { vram: 'count: 4, min_vram: 500Gi', count: 'count: 64, min_vram: 80Gi' }
    for (const [requirement, gpu] of Object.entries(needs)) {
      const text = MANIFEST.replace('count: 4, min_vram: 80Gi, interconnect: nvlink', gpu)
      const { out } = await plan('odd.yaml --all', { files: { ...files, 'odd.yaml': text } })
      const [, named] = /No offer meets (\w+) /.exec(out) ?? []
      const [, code = ''] = /berth explain ([A-Z_]+)\n$/.exec(out) ?? []
      expect([requirement, named, findCode(code)?.requirement]).toEqual([requirement, requirement, requirement])
    }
    const limited = emptyPlane()
    await limited.setProject({ project: 'default', gpus_max: 1 })
    const { out } = await plan('w.yaml', { control: () => limited })
    expect(out).toMatch(/no place\. QUOTA_PROJECT: .*[^]* berth explain QUOTA_PROJECT\n$/)
  })

  test('offers and configurations that are named are looked at here', async () => {
    const named = await plan('w.yaml --offers inventory.yaml')
    const configured = await plan('w.yaml --config c.yaml')
    expect([named.code, configured.code]).toEqual([EXIT.ok, EXIT.ok])
    expect([...named.targets, ...configured.targets]).toEqual([])
  })

  test.each([
    ['w.yaml --offers inventory.yaml --url http://127.0.0.1:1', 'plan with local files'],
    ['w.yaml --config c.yaml --project research', 'plan with local files'],
    ['w.yaml --optimal', '--optimal needs --offers'],
  ])('%s is two questions at once', async (line, said) => {
    const { code, err } = await plan(line)
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(said)
  })

  test.each(['needy.yaml', 'w.yaml needy.yaml'])(
    '%s: a missing secret is a warning with the command that sets it',
    async (line) => {
      const needy = { ...files, 'needy.yaml': `${MANIFEST.replace('llama-70b', 'needy')}secrets: [HF_TOKEN]\n` }
      const { code, err } = await plan(line, { files: needy })
      expect(code).toBe(EXIT.ok)
      expect(err).toContain('1 warning\n\n  SECRET_MISSING\n')
      expect(err).toContain('    needy needs the secret HF_TOKEN, which project default does not have.\n')
      expect(err).toContain('    Set it first: berth secret set HF_TOKEN')
      const { out } = await plan(`${line} -o json`, { files: needy })
      expect(JSON.parse(out).warnings).toMatchObject([{ code: 'SECRET_MISSING', found: 'HF_TOKEN' }])
    },
  )

  test('an invalid manifest is refused before any request', async () => {
    const { code, targets } = await plan('bad.yaml', { files: { 'bad.yaml': MANIFEST.replace('image:', 'imago:') } })
    expect(code).toBe(EXIT.invalid)
    expect(targets).toEqual([])
  })

  test('one that does not answer says how to plan without it', async () => {
    const control = emptyPlane()
    await control.lose(1)
    const { code, err } = await plan('w.yaml', { control: () => control })
    expect(code).toBe(EXIT.unreachable)
    expect(err).toContain('Workloads keep running.\n    Or plan without one: add --offers PATH or --config FILE.')
  })
})

describe('a plan that a control plane made and that was saved', () => {
  test('is applied unchanged', async () => {
    const saved = await plan('w.yaml --save p.json --project research')
    expect(saved.err).toBe('saved: p.json (berth apply --plan p.json --project research)\n')
    const control = emptyPlane()
    await control.setProject({ project: 'research' })
    const world = { files: Object.fromEntries(saved.files), control: () => control }
    const { code } = await berth(words('apply --plan p.json --project research --yes'), world)
    expect(code).toBe(EXIT.ok)
    expect(control.applied).toMatchObject([{ project: 'research', text: MANIFEST, pinned: [{ slot: '0' }] }])
  })

  test('can be compared, and says why it cannot be replayed', async () => {
    const saved = await plan('w.yaml --save p.json')
    expect(JSON.parse(textAt(saved, 'p.json'))).not.toHaveProperty('offers')
    const world = { files: Object.fromEntries(saved.files) }
    expect((await berth(words('diff p.json p.json'), world)).code).toBe(EXIT.ok)
    const { code, err } = await berth(words('replay p.json'), world)
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('decided by a control plane')
  })
})

test('berth plan without offers and without a control plane says both ways to go on', async () => {
  const { code, err } = await berth(words('plan w.yaml'), { files })
  expect(code).toBe(EXIT.invalid)
  expect(err).toContain('OFFERS_MISSING')
  expect(err).toContain('--offers')
  expect(err).toContain('berth up')
})
