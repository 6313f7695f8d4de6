/** Pieces of at least this size are kept as they came. */
const SMALL = 4096

/** Adds a piece to those of a body that is kept. Small ones grow together, so that many of them cost little more than their bytes. */
export function addPiece(pieces: Buffer[], bytes: Buffer): void {
  let piece = bytes
  for (let last = pieces.at(-1); last !== undefined && piece.length < SMALL; last = pieces.at(-1)) {
    // Only with one that is not larger, so that no byte is copied often.
    if (last.length > piece.length) break
    pieces.pop()
    piece = Buffer.concat([last, piece])
  }
  pieces.push(piece)
}
