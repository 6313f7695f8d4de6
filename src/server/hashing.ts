import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Hashing } from '../service/deps.ts'

/** Hashing with Node's cryptography. */
export const nodeHashing: Hashing = {
  sha256: (text) => hash('sha256', text, 'hex'),
  newToken: () => randomBytes(32).toString('base64url'),
  isSame: (one, other) => {
    const [a, b] = [Buffer.from(one), Buffer.from(other)]
    return a.length === b.length && timingSafeEqual(a, b)
  },
}
