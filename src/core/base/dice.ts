/** Pseudo-random numbers that are the same for the same seed, so that a run can be replayed. */
export class Dice {
  /** At least 0 and less than 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = mulberry32(Math.imul(seed + 1, 0x9e3779b1) ^ 0x85ebca6b)
  }

  /** A whole number from 0 to one less than `sides`. */
  roll(sides: number): number {
    return Math.floor(this.next() * sides)
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.roll(from.length)] ?? from[0]
  }

  oneIn(times: number): boolean {
    return this.roll(times) === 0
  }

  /** A random time until the next event, for events with this average interval. */
  wait(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }
}

/** Multiples of 2^-32 from 0 to less than 1, the same on every machine for the same 32-bit seed. */
export function mulberry32(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
