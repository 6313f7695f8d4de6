import { expect, test } from 'vitest'
import { eventStream } from './stream.ts'

test('a stream that always has more lets others run in between', async () => {
  const stop = new AbortController()
  const source = async function* () {
    for (let at = 0; at < 1_000_000; at++) yield { id: String(at), data: { text: 'x'.repeat(100) } }
  }
  const timers = {
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((done) => signal?.addEventListener('abort', () => done())),
  }
  const stream = eventStream(source(), {
    timers,
    signal: stop.signal,
    requestId: 'r',
    mayStay: async () => true,
    tell: () => [],
  })
  let sent = 0
  const reading = (async () => {
    for await (const text of stream) sent += text.length > 0 ? 1 : 0
  })()
  await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  await reading
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(1_000_000)
})
