import { describe, expect, test } from 'vitest'
import type { TestPlane } from '../plane.suite.ts'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran } from '../harness.suite.ts'

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

function run(line: string, control: TestPlane): Promise<Ran> {
  return berth(words(line), { control: () => control })
}

describe('berth history', () => {
  test('lists what was applied, newest first, and what each changed', async () => {
    const { code, out } = await run('history llama-70b', await changed())
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`  GENERATION  SINCE      WAS UP  CHANGED
           3  60 s ago   yes     resources.gpu.min_vram: 80Gi → 40Gi, env.MODEL: not set → x
           2  2 min ago  yes     image: … vllm:0.22 → … vllm:0.23
           1  3 min ago  yes     the first in the history

Next:  berth rollback llama-70b      berth history llama-70b --show 2
`)
  })

  /** The second is bad, and was rolled back. */
  async function rolledBack(): Promise<TestPlane> {
    const control = furnishedPlane()
    const apply = async (text: string, key: string): Promise<void> => {
      await control.apply({ project: 'default', text, file: 'w', idempotencyKey: key })
      await control.pass(60)
    }
    await apply(SECOND, 'second')
    await apply(THIRD.replace('env: {', "env: { SIM_START: 'never',"), 'third')
    await apply(SECOND, 'back')
    return control
  }

  test('says which were up, and which is the same as another; the way back is never one that was not up', async () => {
    const { out } = await run('history llama-70b', await rolledBack())
    expect(out).toContain('  GENERATION  SINCE      WAS UP  CHANGED\n           4  60 s ago   yes     same as 2\n')
    expect(out).toContain('           3  2 min ago  no      resources.gpu.min_vram: 80Gi → 40Gi')
    expect(out).toContain('berth history llama-70b --show 1\n')
  })

  test('shows one of them as it was written', async () => {
    const control = await changed()
    expect((await run('history llama-70b --show 1', control)).out).toBe(MANIFEST)
    const { code, err } = await run('history llama-70b --show 9', control)
    expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining('Generations in the history: 3, 2, 1')])
  })
})
