import { mulberry32 } from '../../base/dice.ts'

/** Numbers from 0 up to a limit; the same seed gives the same numbers. */
export function randomFrom(seed: number): (limit: number) => number {
  const next = mulberry32(Math.imul(seed + 1, 0x9e3779b1))
  return (limit) => Math.floor(next() * limit)
}
