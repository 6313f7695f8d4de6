/** Numbers from 0 up to a limit, the same ones for the same seed. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
