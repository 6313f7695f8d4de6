import { describe, expect, test } from 'vitest'
import type { Exit } from '../../core/life/call/exit.ts'
import type { TestPlane } from '../plane.suite.ts'
import { furnishedPlane, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words, type Ran, type World } from '../harness.suite.ts'
import { OUT_OF_TIME } from './wait.ts'

function wait(line: string, control: TestPlane, world: World = {}): Promise<Ran> {
  return berth(words(`wait ${line}`), { control: () => control, ...world })
}

/** A job whose only slot has just ended like this, after some looks. */
function ending(exit: Exit, looks = 2): [TestPlane, World] {
  const control = planeOf([MANIFEST.replace('kind: service', 'kind: job')])
  let left = looks
  const isWell = exit.kind === 'code' && exit.code === 0
  const end = { state: isWell ? 'done' : 'failed', why: 'it ended', atMs: NOW_MS } as const
  const onSleep = async (): Promise<void> => {
    if (--left === 0) await control.rewrite('llama-70b', { status: { end }, slot: () => ({ phase: 'gone', exit }) })
  }
  return [control, { onSleep }]
}

describe('berth wait', () => {
  test.each<[Exit, number]>([
    [{ kind: 'code', code: 0 }, 0],
    [{ kind: 'code', code: 3 }, 3],
    [{ kind: 'signal', signal: 'SIGTERM' }, 143],
    [{ kind: 'out-of-memory' }, 137],
    [{ kind: 'start', why: 'no image' }, EXIT.notDone],
  ])('a job that ends with %j ends it with %i', async (exit, code) => {
    const [control, world] = ending(exit)
    expect((await wait('llama-70b', control, world)).code).toBe(code)
  })

  test('a service is waited for until it is up', async () => {
    const control = planeOf([MANIFEST], 0)
    const { code, out } = await wait('llama-70b', control)
    expect([code, out]).toEqual([EXIT.ok, 'llama-70b is up.\n'])
  })

  test('a roll-out is waited for until its end, and one that stalls ends it with 4', async () => {
    const control = furnishedPlane()
    await control.rewrite('llama-70b', { slot: () => ({ shape: 'of the version before' }) })
    const half = await wait('llama-70b --timeout 2s', control)
    expect([half.code, half.out]).toEqual([OUT_OF_TIME, expect.stringContaining('serving, rolling out (0 of 1)')])
    const stalled = { generation: 1, why: 'exit code 1', atMs: NOW_MS, groups: [] }
    await control.rewrite('llama-70b', { status: { stalled } })
    const { code, out } = await wait('llama-70b', control)
    expect([code, out]).toEqual([EXIT.notDone, expect.stringContaining('has stalled: exit code 1.')])
  })

  test('what is removed is waited for until it is gone, and what is not there is gone', async () => {
    const control = furnishedPlane()
    await control.remove({ project: 'default', name: 'llama-70b' })
    expect(await wait('llama-70b --for gone', control)).toMatchObject({ code: EXIT.ok, out: 'llama-70b is gone.\n' })
    expect((await wait('llama-70b --for gone', control)).code).toBe(EXIT.ok)
    expect((await wait('llama-70b', control)).code).toBe(EXIT.notFound)
  })

  test('the time runs out, Ctrl-C interrupts, and a connection that is lost is waited out', async () => {
    const [control] = ending({ kind: 'code', code: 0 })
    const late = await wait('llama-70b --timeout 2s', control)
    expect([late.code, late.out]).toEqual([OUT_OF_TIME, expect.stringContaining('llama-70b: timed out after')])
    expect((await wait('llama-70b', control, { interruptAt: 1 })).code).toBe(EXIT.interrupted)
    const [again, world] = ending({ kind: 'code', code: 0 }, 5)
    let sleeps = 0
    const onSleep = async (): Promise<void> => {
      if (sleeps++ === 1) await again.lose(2)
      await world.onSleep?.()
    }
    expect((await wait('llama-70b', again, { onSleep })).code).toBe(EXIT.ok)
  })

  test('several, and those with a label, are waited for together; data tells how each ended', async () => {
    const texts = ['a', 'b', 'c'].map(
      (name) => MANIFEST.replace('llama-70b', name) + (name === 'c' ? '' : 'labels: { sweep: 7 }\n'),
    )
    const control = planeOf(texts, 0)
    const { code, out } = await wait('-l sweep=7 -o json', control)
    expect(code).toBe(EXIT.ok)
    const { workloads, ...rest } = JSON.parse(out)
    expect(rest).toEqual({ ended: 'settled', exit_code: 0 })
    expect(workloads.map((one: { workload: { name: string }; fate: string }) => [one.workload.name, one.fate])).toEqual(
      [
        ['a', 'there'],
        ['b', 'there'],
      ],
    )
    expect((await wait('a b c', control)).out).toBe('a is up.\nb is up.\nc is up.\n')
  })

  test('a service is never done, and something has to be named', async () => {
    const control = furnishedPlane()
    expect((await wait('llama-70b --for done', control)).code).toBe(EXIT.usage)
    expect((await wait('', control)).code).toBe(EXIT.usage)
    expect((await wait('llama-70b -l a=b', control)).code).toBe(EXIT.usage)
  })
})
