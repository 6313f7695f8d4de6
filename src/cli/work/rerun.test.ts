import { describe, expect, test } from 'vitest'
import type { TestPlane } from '../plane.suite.ts'
import { furnishedPlane, jobOf, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words, type Ran, type World } from '../harness.suite.ts'

async function ended(state: 'done' | 'failed' | 'stopped'): Promise<TestPlane> {
  const lives = { done: { seconds: 5 }, failed: { seconds: 5, exits: '1' }, stopped: { seconds: 600 } }
  const control = planeOf([jobOf({ ...lives[state], more: 'restart: { max: 0 }\n' })], 30)
  if (state === 'stopped') await control.stop({ project: 'default', name: 'llama-70b' })
  await control.pass(10)
  return control
}

function rerun(line: string, control: TestPlane, world: World = {}): Promise<Ran> {
  return berth(words(`rerun llama-70b ${line}`), { control: () => control, ...world })
}

describe('berth rerun', () => {
  test.each(['done', 'failed', 'stopped'] as const)(
    'what is %s runs again, after the plan and a question',
    async (state) => {
      const { code, out, asked } = await rerun('', await ended(state), { answers: ['y'] })
      expect(code).toBe(EXIT.ok)
      expect(asked).toEqual(['Change llama-70b (1 added) for $9.40/h in all? [Y/n] '])
      expect(out).toContain('It starts again unchanged: 1 replica is added.')
      expect(out).toMatch(/llama-70b starts again \(generation [23]\)\./)
      expect(out).toContain('llama-70b is running')
    },
  )

  test('what goes on is left alone', async () => {
    const { code, err } = await rerun('--yes', furnishedPlane())
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('llama-70b is a service, which never ends by itself: it is serving.')
    expect(err).toContain('To replace its replicas by fresh ones: berth restart llama-70b.')
    expect(err).not.toContain('berth wait')
  })

  test('--dry-run runs nothing, and data is data', async () => {
    const control = await ended('done')
    const { out } = await rerun('--dry-run -o json', control)
    expect(JSON.parse(out).plans).toMatchObject([{ outcome: 'again', replicas: { added: 1 }, plan: { fits: true } }])
    expect((await control.workload({ project: 'default', name: 'llama-70b' })).state).toBe('done')
  })
})
