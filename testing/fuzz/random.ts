import { mulberry32 } from '../../src/core/base/dice.ts'

/** A stream of chance that depends on nothing but its seed. */
export interface Random {
  /** From 0 up to, not including, `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
}

export function randomOf(seed: number): Random {
  const next = mulberry32(seed)
  return {
    int: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  }
}
