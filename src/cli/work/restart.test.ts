import { describe, expect, test } from 'vitest'
import type { TestPlane } from '../plane.suite.ts'
import { furnishedPlane, jobOf, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran, type World } from '../harness.suite.ts'

const AT = { project: 'default', name: 'llama-70b' }

function restart(line: string, control: TestPlane, world: World = {}): Promise<Ran> {
  return berth(words(`restart llama-70b ${line}`), { control: () => control, ...world })
}

async function attemptsOf(control: TestPlane): Promise<readonly string[]> {
  return (await control.workload(AT)).slots.map(({ attempt }) => attempt)
}

describe('berth restart', () => {
  test('replaces the only replica after a question that says what it costs', async () => {
    const control = furnishedPlane()
    const before = await attemptsOf(control)
    const { code, out, asked } = await restart('', control, { answers: ['y'] })
    expect([code, asked]).toEqual([
      EXIT.ok,
      ['Restart llama-70b? Its replica goes on serving until its successor does, where there is room for both. [Y/n] '],
    ])
    expect(out).toContain('llama-70b restarts (generation 2).\n')
    expect(out).toContain('llama-70b is up at')
    expect(await attemptsOf(control)).not.toEqual(before)
    const events = await berth(words('events llama-70b'), { control: () => control })
    expect(events.out).toContain('restart, generation 2, by ')
    expect(events.out).toContain('makes way for a fresh attempt, because a restart was asked for\n')
  })

  test('replaces one replica after the other, and says how far it is', async () => {
    const control = planeOf([`${MANIFEST}replicas: 2\n`], 60)
    const before = await attemptsOf(control)
    const half = await restart('--yes --timeout 15s', control)
    expect([half.code, half.out]).toEqual([EXIT.notDone, expect.stringContaining('  -  1 of 2 restarted\n')])
    expect(half.out).toContain('restarting (1 of 2)')
    const now = await berth(words('get llama-70b'), { control: () => control })
    expect(now.out).toContain('to be restarted')
    await control.pass(60)
    const after = await attemptsOf(control)
    expect(after.filter((attempt) => before.includes(attempt))).toEqual([])
    expect(await control.workload(AT)).toMatchObject({ ready: 2, updated: 2, state: 'serving' })
    // The same manifest again asks for nothing.
    const again = await control.apply({ ...AT, text: `${MANIFEST}replicas: 2\n`, file: 'w', idempotencyKey: 'again' })
    expect(again.outcome).toBe('unchanged')
  })

  test('nothing happens after a no', async () => {
    const control = furnishedPlane()
    const before = await attemptsOf(control)
    const { code, err } = await restart('', control, { answers: ['n'] })
    expect([code, err]).toEqual([EXIT.notDone, 'Nothing was changed.\n'])
    expect(await attemptsOf(control)).toEqual(before)
  })

  test('a job, and what has ended, are not restarted', async () => {
    const running = await restart('--yes', planeOf([jobOf({ seconds: 600 })], 30))
    expect([running.code, running.err]).toEqual([EXIT.invalid, expect.stringContaining('only services are restarted.')])
    expect(running.err).toContain('berth stop llama-70b, then berth rerun llama-70b')
    const done = await restart('--yes', planeOf([jobOf({ seconds: 5 })], 30))
    expect(done.err).toContain('llama-70b does not run: it is done.')
    expect(done.err).toContain('To run it again: berth rerun llama-70b')
  })

  test('data is data', async () => {
    const { out } = await restart('--yes --detach -o json', furnishedPlane())
    expect(JSON.parse(out)).toMatchObject({ ended: 'detached', applied: [{ workload: { generation: 2 } }] })
  })
})
