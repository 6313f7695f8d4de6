import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../core/base/laws.suite.ts'
import { dataFrames, FRAMES, FrameReader, frameOf, jsonFrame, jsonIn } from './tunnel.ts'

const frames = fc.array(fc.record({ kind: fc.constantFrom(...FRAMES), data: fc.uint8Array({ maxLength: 40 }) }))

test('frames arrive as they were sent, however the connection cuts them', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat({ max: 9 }), { minLength: 1 }), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map(({ kind, data }) => frameOf(kind, data)))
      const reader = new FrameReader()
      const come = []
      for (let at = 0, cut = 0; at < bytes.length; cut++) {
        const next = at + 1 + (cuts[cut % cuts.length] ?? 0)
        come.push(...reader.read(bytes.subarray(at, next)))
        at = next
      }
      expect(come.map(({ kind, data }) => [kind, [...data]])).toEqual(sent.map(({ kind, data }) => [kind, [...data]]))
    }),
    cases(2_000),
  )
})

test('long data goes into several frames, and values come back', () => {
  const long = new Uint8Array(2_500_000).fill(7)
  const reader = new FrameReader()
  const come = [...dataFrames(long)].flatMap((frame) => [...reader.read(frame)])
  expect(come.map(({ data }) => data.length)).toEqual([1_048_576, 1_048_576, 402_848])
  const [frame] = reader.read(jsonFrame('over', { code: 3 }))
  expect(frame && jsonIn(frame)).toEqual({ code: 3 })
})

test.each([
  [[9, 0, 0, 0, 0], 'an unknown kind'],
  [[0, 255, 255, 255, 255], 'a frame that is too long'],
  [[...Buffer.from('HTTP/1.1 400')], 'another protocol'],
])('%j is refused: %s', (bytes) => {
  expect(() => [...new FrameReader().read(Uint8Array.from(bytes))]).toThrow('tunnel protocol')
})
