import { describe, expect, test } from 'vitest'
import type { Exit } from '../../core/life/call/exit.ts'
import { furnishedBerth, memoryBerth, type MemoryBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words, type Ran, type World } from '../harness.suite.ts'
import { OUT_OF_TIME } from './wait.ts'

function wait(line: string, control: MemoryBerth, world: World = {}): Promise<Ran> {
  return berth(words(`wait ${line}`), { control: () => control, onSleep: control.step, ...world })
}

/** A job whose only slot has just ended like this, after some looks. */
async function ending(exit: Exit, looks = 2): Promise<[MemoryBerth, World]> {
  const control = furnishedBerth()
  const { slots } = await control.workload({ project: 'default', name: 'llama-70b' })
  control.change('llama-70b', { kind: 'job', state: 'running' })
  let left = looks
  const isWell = exit.kind === 'code' && exit.code === 0
  const state = isWell ? 'done' : 'failed'
  const onSleep = (): void => {
    if (--left > 0) return
    const end = { state, why: 'it ended', atMs: NOW_MS } as const
    control.change('llama-70b', { state, end, slots: slots.map((slot) => ({ ...slot, phase: 'gone' as const, exit })) })
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
    const [control, world] = await ending(exit)
    expect((await wait('llama-70b', control, world)).code).toBe(code)
  })

  test('a service is waited for until it is up', async () => {
    const control = memoryBerth()
    await control.apply({ project: 'default', text: MANIFEST, file: 'w', idempotencyKey: 'k' })
    const { code, out } = await wait('llama-70b', control)
    expect([code, out]).toEqual([EXIT.ok, 'llama-70b is up.\n'])
  })

  test('a roll-out is waited for until its end, and one that stalls ends it with 4', async () => {
    const control = furnishedBerth()
    control.change('llama-70b', { updated: 0 })
    const half = await wait('llama-70b --timeout 2s', control, { onSleep: () => {} })
    expect([half.code, half.out]).toEqual([OUT_OF_TIME, expect.stringContaining('serving, rolling out (0 of 1)')])
    control.change('llama-70b', { stalled: 'exit code 1' })
    const { code, out } = await wait('llama-70b', control)
    expect([code, out]).toEqual([EXIT.notDone, expect.stringContaining('has stalled: exit code 1.')])
  })

  test('what is removed is waited for until it is gone, and what is not there is gone', async () => {
    const control = furnishedBerth()
    await control.remove({ project: 'default', name: 'llama-70b' })
    expect(await wait('llama-70b --for gone', control)).toMatchObject({ code: EXIT.ok, out: 'llama-70b is gone.\n' })
    expect((await wait('llama-70b --for gone', control)).code).toBe(EXIT.ok)
    expect((await wait('llama-70b', control)).code).toBe(EXIT.notFound)
  })

  test('the time runs out, Ctrl-C interrupts, and a connection that is lost is waited out', async () => {
    const [control] = await ending({ kind: 'code', code: 0 })
    const still: World = { onSleep: () => {} }
    const late = await wait('llama-70b --timeout 2s', control, still)
    expect([late.code, late.out]).toEqual([OUT_OF_TIME, expect.stringContaining('llama-70b: timed out after')])
    expect((await wait('llama-70b', control, { ...still, interruptAt: 1 })).code).toBe(EXIT.interrupted)
    const [again, world] = await ending({ kind: 'code', code: 0 }, 5)
    let sleeps = 0
    const onSleep = (): void => {
      if (sleeps++ === 1) again.lose(2)
      world.onSleep?.()
    }
    expect((await wait('llama-70b', again, { onSleep })).code).toBe(EXIT.ok)
  })

  test('several, and those with a label, are waited for together; data tells how each ended', async () => {
    const control = memoryBerth()
    for (const name of ['a', 'b', 'c']) {
      const text = MANIFEST.replace('llama-70b', name) + (name === 'c' ? '' : 'labels: { sweep: 7 }\n')
      await control.apply({ project: 'default', text, file: 'w', idempotencyKey: name })
    }
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
    const control = furnishedBerth()
    expect((await wait('llama-70b --for done', control)).code).toBe(EXIT.usage)
    expect((await wait('', control)).code).toBe(EXIT.usage)
    expect((await wait('llama-70b -l a=b', control)).code).toBe(EXIT.usage)
  })
})
