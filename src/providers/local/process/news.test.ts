import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, isOver, isUp, within, yes } from '../../contract/bench.suite.ts'
import { ProcessBench } from './process-bench.suite.ts'
import { processesWith } from './process-table.ts'

const bench = new ProcessBench()

function hintsOf(signal?: AbortSignal): AsyncIterator<{ readonly what: string }> {
  const hints = bench.provider.watch?.('owner', call(signal))
  if (hints === undefined) throw new Error('it sends no hints')
  return hints[Symbol.asyncIterator]()
}

test('a hint comes as soon as a process has started, and as soon as one has ended', async () => {
  expect(bench.provider.can.watch).toBe(true)
  const hints = hintsOf()
  const first = hints.next()
  const ref = await bench.launch(bench.orderOf(['/bin/sh', '-c', 'echo begun; exec sleep 1000']))
  expect(await first).toEqual({ done: false, value: { what: 'instances' } })
  expect(isUp(yes(await bench.provider.describe(ref, call())))).toBe(true)
  // From now on it hears signals.
  await within(bench, async () => (await bench.linesOf(ref)).includes('begun'))
  for (const pid of processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`)) process.kill(pid, 'SIGTERM')
  // One change may be told twice; nobody asks in between.
  while (!isOver(yes(await bench.provider.describe(ref, call())))) await hints.next()
  await hints.return?.()
})

test('hints end with their signal, and when their file is taken away', async () => {
  const stop = new AbortController()
  const stopped = hintsOf(stop.signal).next()
  const lost = hintsOf()
  const first = lost.next()
  stop.abort()
  expect(await stopped).toEqual({ done: true, value: undefined })
  rmSync(join(bench.deps.folder, 'news'))
  let told = await first
  // That it has changed may be told before.
  for (let times = 0; told.done !== true && times < 5; times++) told = await lost.next()
  expect(told.done).toBe(true)
})
