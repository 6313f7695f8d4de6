import { expect, test } from 'vitest'
import { addPiece } from './pieces.ts'

test.each<readonly [string, (at: number) => number, number]>([
  ['single bytes', () => 1, 40],
  ['bytes and pieces in turn', (at) => (at % 2 === 0 ? 1 : 1400), 20],
  ['large pieces', () => 64 * 1024, 20],
])('a body that came in %s is kept in few pieces, byte for byte', (_, sizeOf, most) => {
  const pieces: Buffer[] = []
  const came: Buffer[] = []
  for (let at = 0, bytes = 0; bytes < 100_000 || at < 20; at++) {
    const piece = Buffer.alloc(sizeOf(at), at % 251)
    bytes += piece.length
    came.push(piece)
    addPiece(pieces, piece)
  }
  expect(Buffer.concat(pieces).equals(Buffer.concat(came))).toBe(true)
  expect(pieces.length).toBeLessThanOrEqual(most)
})
