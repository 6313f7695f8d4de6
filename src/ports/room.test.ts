import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { written } from './room.ts'

const PIECE = Buffer.alloc(8)

function narrow(): PassThrough {
  return new PassThrough({ highWaterMark: PIECE.length })
}

async function isSettled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending')
  await new Promise((resolve) => setImmediate(resolve))
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending
}

test('waits until there is room for more', async () => {
  const sink = narrow()
  const waiting = written(sink, PIECE)
  expect(await isSettled(waiting)).toBe(false)
  sink.resume()
  await waiting
  expect([sink.listenerCount('drain'), sink.listenerCount('close')]).toEqual([0, 0])
  const wide = new PassThrough()
  expect(await isSettled(written(wide, PIECE))).toBe(true)
})

test('does not wait for what is closed, or closes meanwhile', async () => {
  const sink = narrow()
  const waiting = written(sink, PIECE)
  sink.destroy()
  await waiting
  expect(sink.listenerCount('drain')).toBe(0)
  await written(sink, PIECE)
  const ended = narrow()
  ended.end()
  await written(ended, PIECE)
})
