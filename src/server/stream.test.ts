import { expect, test } from 'vitest'
import { Spells } from './spells.ts'
import { eventStream } from './stream.ts'

test('a stream that always has more lets others run in between', async () => {
  const stop = new AbortController()
  const source = async function* () {
    for (let at = 0; at < 1_000_000; at++) yield { id: String(at), data: { text: 'x'.repeat(100) } }
  }
  const stream = eventStream(source(), {
    every: () => undefined,
    signal: stop.signal,
    requestId: 'r',
    shown: (entry: unknown) => entry,
    rest: () => new Promise((resolve) => setImmediate(resolve)),
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

test('entries that are there at once go in one write, in their order and each with its own position', async () => {
  const source = async function* () {
    for (let at = 0; at < 200; at++) yield { id: String(at), data: at, more: at % 64 !== 63 && at !== 199 }
  }
  const stream = eventStream(source(), {
    every: () => undefined,
    signal: new AbortController().signal,
    requestId: 'r',
    shown: (entry: unknown) => entry,
    rest: () => new Promise((resolve) => setImmediate(resolve)),
    mayStay: async () => true,
    tell: () => [],
  })
  const writes = await Array.fromAsync(stream)
  expect(writes).toHaveLength(1 + 4 + 1)
  expect([...writes.join('').matchAll(/^id: (\d+)\ndata: (\d+)$/gm)].map(([, id, data]) => [id, data])).toEqual(
    Array.from({ length: 200 }, (_, at) => [String(at), String(at)]),
  )
})

test('of many streams that always have more one runs in each turn, in the order in which they rested', async () => {
  const spells = new Spells()
  const ran: number[] = []
  for (let at = 0; at < 5; at++) void spells.rest().then(() => ran.push(at))
  for (let turn = 0; turn < 5; turn++) {
    expect(ran.length).toBeLessThanOrEqual(turn + 1)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(ran).toEqual([0, 1, 2, 3, 4])
})
