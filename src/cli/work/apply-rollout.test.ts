import { expect, test } from 'vitest'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { memoryBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran, type World } from '../harness.suite.ts'

function apply(line: string, control = memoryBerth(), world: World = {}): Promise<Ran> {
  const files = { 'w.yaml': MANIFEST }
  return berth(['apply', ...words(line)], { files, control: () => control, onSleep: control.step, ...world })
}

const OLD = MANIFEST.replace('name: llama-70b', 'name: web').replace('count: 4', 'count: 1') + 'replicas: 2\n'

/** A change of two replicas, as it is rolled out: by step, how many are on the new version. */
async function rolled(steps: readonly Partial<WorkloadView>[], line = 'web.yaml --yes --timeout 9s'): Promise<Ran> {
  const control = memoryBerth()
  await control.apply({ project: 'default', text: OLD, file: 'web.yaml', idempotencyKey: 'k' })
  control.step()
  control.step()
  const { slots } = await control.workload({ project: 'default', name: 'web' })
  let at = 0
  const onSleep = (): void => {
    const { updated = 0, ...more } = steps[Math.min(at++, steps.length - 1)] ?? {}
    const seen = slots.map((slot, index) => ({ ...slot, current: index < updated }))
    control.change('web', { state: 'serving', ready: 2, updated, slots: seen, ...more })
  }
  const texts = { 'web.yaml': OLD.replace('vllm:0.22', 'vllm:0.23') }
  return apply(line, control, { files: texts, onSleep })
}

test('a roll-out is done only when every replica runs the new version', async () => {
  const half = await rolled([{ updated: 1 }])
  expect([half.code, half.out]).toEqual([EXIT.notDone, expect.not.stringContaining('is up')])
  expect(half.out).toContain('  -  1 of 2 on the new version\n')
  expect(half.out).toContain('web is not up after 9 s: serving, rolling out (1 of 2). Berth keeps trying.\n')
  const whole = await rolled([{ updated: 1 }, { updated: 2 }])
  expect([whole.code, whole.out]).toEqual([EXIT.ok, expect.stringContaining('web is up at')])
})

test('machines of a gang are not called replicas', async () => {
  const control = memoryBerth()
  const { out } = await apply('w.yaml --yes', control, {
    onSleep: () => {
      control.step()
      void control.workload({ project: 'default', name: 'llama-70b' }).then(({ slots: [slot] }) => {
        if (slot === undefined) return
        control.change('llama-70b', {
          slots: ['0.0', '0.1'].map((name) => ({ ...slot, slot: name })),
          total: 2,
          ready: 2,
        })
      })
    },
  })
  expect(out).toContain('(2 of 2 machines')
})

test('a roll-out that stalls ends it at once, with the cause and the way back', async () => {
  const stalled = 'There is no program pyton3 on this host.'
  const { code, out } = await rolled([{ updated: 0, ready: 1, state: 'degraded', stalled }])
  expect(code).toBe(EXIT.notDone)
  expect(out).toContain(`The roll-out of web has stalled: ${stalled} 1 of 2 stays on the previous version.
Go back with: berth rollback web
`)
})

test('what does not become ready says which slot, for how long and where, and counts no restart of before', async () => {
  const control = memoryBerth()
  const { code, out } = await apply('w.yaml --yes --timeout 9s', control, {
    onSleep: () => {
      control.step()
      control.step()
      void control.workload({ project: 'default', name: 'llama-70b' }).then(({ slots }) => {
        const sick = slots.map((slot) => ({ ...slot, healthy: false, health_path: '/health' }))
        control.change('llama-70b', { state: 'starting', ready: 0, slots: sick, restarts: 3, restarts_since_change: 0 })
      })
    },
  })
  expect(code).toBe(EXIT.notDone)
  expect(out).toContain('starting: slot 0 has not been ready for 41 s: /health fails. Berth keeps trying.\n')
})
