import { describe, expect, test } from 'vitest'
import type { TestPlane } from '../plane.suite.ts'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran, type World } from '../harness.suite.ts'

const SECOND = MANIFEST.replace('vllm:0.22', 'vllm:0.23')
const THIRD = SECOND.replace('80Gi', '40Gi') + 'env: { MODEL: x }\n'

/** One that was changed twice. */
async function changed(): Promise<TestPlane> {
  const control = furnishedPlane()
  for (const text of [SECOND, THIRD]) {
    await control.apply({ project: 'default', text, file: 'w', idempotencyKey: `k${text.length}` })
    await control.pass(60)
  }
  return control
}

function run(line: string, control: TestPlane, world: World = {}): Promise<Ran> {
  return berth(words(line), { control: () => control, ...world })
}

describe('berth rollback', () => {
  test('applies the previous manifest, after showing what changes', async () => {
    const control = await changed()
    const { code, out, asked } = await run('rollback llama-70b', control, { answers: ['y'] })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('resources.gpu.min_vram  40Gi → 80Gi')
    expect(asked).toEqual(['Change llama-70b (1 replaced) for $9.40/h in all? [Y/n] '])
    expect(control.applied.at(-1)?.text).toBe(SECOND)
  })

  test('a secret that is gone since then is reported before anything else', async () => {
    const control = furnishedPlane()
    const needy = `${MANIFEST}secrets: [HF_TOKEN]\n`
    for (const text of [needy, MANIFEST]) {
      await control.apply({ project: 'default', text, file: 'w', idempotencyKey: `k${text.length}` })
      await control.pass(60)
    }
    await control.removeSecret({ project: 'default', name: 'HF_TOKEN' })
    const { code, out, err } = await run('rollback llama-70b --to 2 --dry-run', control)
    expect([code, out]).toEqual([EXIT.invalid, ''])
    expect(err).toContain('Set it first: berth secret set HF_TOKEN')
  })

  test('applies the named generation', async () => {
    const control = await changed()
    expect((await run('rollback llama-70b --to 1 --yes', control)).code).toBe(EXIT.ok)
    expect(control.applied.at(-1)?.text).toBe(MANIFEST)
    const { out } = await run('rollback llama-70b --to 2 --dry-run -o json', control)
    expect(JSON.parse(out).plans).toMatchObject([{ outcome: 'change', changes: [{ field: 'image' }] }])
  })

  test('goes to the last one that was up, and to none that was not unless it is named', async () => {
    const control = await changed()
    const stood = async (...known: readonly boolean[]): Promise<TestPlane> => {
      const { past = [] } = (await control.store.get('workload', 'default/llama-70b'))?.body ?? {}
      await control.rewrite('llama-70b', {
        workload: { past: past.map((one, at) => ({ ...one, stood: known[at] })) },
      })
      return control
    }
    expect((await run('rollback llama-70b --dry-run', await stood(false, true))).out).toContain('vllm:0.23 → ')
    const { code, err } = await run('rollback llama-70b --yes', await stood(false, false))
    expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining('with --to: 2, 1')])
    expect(err).toContain('was ever up')
  })

  test('keeps the number of replicas, and says so, unless it is told to go back to that, too', async () => {
    const control = await changed()
    await control.scale({ project: 'default', name: 'llama-70b', replicas: 2 })
    const { out } = await run('rollback llama-70b --dry-run', control)
    expect(out).toContain('Keeps 2 replicas, as now; that manifest says 1 (--with-replicas).')
    const whole = await run('rollback llama-70b --dry-run --with-replicas', control)
    expect(whole.out).not.toContain('Keeps')
    expect(whole.out).toContain('replicas set by hand')
    expect((await run('rollback llama-70b --yes --detach', control)).code).toBe(EXIT.ok)
    const at = { project: 'default', name: 'llama-70b' }
    expect((await control.workload(at)).total).toBe(2)
    expect((await control.history(at))[0]?.text).toBe(SECOND)
  })

  test('passes over manifests that differ in the number of replicas alone', async () => {
    const control = furnishedPlane()
    for (const count of [2, 3]) {
      const text = `${MANIFEST}replicas: ${count}\n`
      await control.apply({ project: 'default', text, file: 'w', idempotencyKey: `k${count}` })
      await control.pass(60)
    }
    const { code, err } = await run('rollback llama-70b --yes', control)
    expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining('differ in the number of replicas alone')])
    expect((await run('rollback llama-70b --with-replicas --dry-run', control)).out).toContain('replicas  3 → 2')
  })

  test('says so when there is nothing to go back to', async () => {
    const { code, err } = await run('rollback llama-70b --yes', furnishedPlane())
    expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining('has no other manifest to go back to')])
  })
})
