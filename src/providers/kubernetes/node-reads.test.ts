import { expect, test } from 'vitest'
import { call } from '../contract/bench.suite.ts'
import type { KubeClient, KubeReply } from './api/client.ts'
import { NodeReads } from './node-reads.ts'

function reading(answer: () => KubeReply) {
  let [nowMs, asked] = [0, 0]
  // Only `call` is used.
  const client = {
    call: async () => {
      asked++
      return answer()
    },
  } as unknown as KubeClient
  const reads = new NodeReads(client, () => nowMs)
  return { reads, asked: () => asked, pass: (ms: number) => void (nowMs += ms) }
}

const NODE: KubeReply = { ok: true, value: { kind: 'Node' } }
const NONE: KubeReply = { ok: false, status: 404, reason: 'NotFound', fault: { class: 'TRANSIENT', message: 'none' } }

test('launches at the same time share a read, and later ones read again', async () => {
  const { reads, asked, pass } = reading(() => NODE)
  await Promise.all([reads.read('a', call()), reads.read('a', call()), reads.read('b', call())])
  expect(asked()).toBe(2)
  pass(999)
  expect(await reads.read('a', call())).toBe(NODE)
  expect(asked()).toBe(2)
  pass(1)
  await reads.read('a', call())
  expect(asked()).toBe(3)
})

test('what follows from a read is worked out once for all that share it', async () => {
  const { reads } = reading(() => ({ ...NODE }))
  const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((name) => reads.read(name, call())))
  let worked = 0
  const nothing = () => void worked++
  for (const read of [one, same, other]) if (read !== undefined) reads.once(read, nothing)
  expect(worked).toBe(2)
})

test('a read that failed is shared with nobody', async () => {
  const { reads, asked } = reading(() => NONE)
  expect(await Promise.all([reads.read('a', call()), reads.read('a', call())])).toEqual([NONE, NONE])
  expect(asked()).toBe(2)
})
