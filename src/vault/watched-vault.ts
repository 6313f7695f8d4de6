import type { RotatingVault } from '../ports/secret.ts'
import type { Scrubber } from './scrubber.ts'

/** The same vault. Every value that passes through it is hidden from logs from then on. */
export function watchedVault(vault: RotatingVault, scrubber: Pick<Scrubber, 'learn'>): RotatingVault {
  return {
    ...vault,
    seal: (secret, about) => {
      scrubber.learn(secret)
      return vault.seal(secret, about)
    },
    open: (sealed, about) => {
      const secret = vault.open(sealed, about)
      if (secret !== undefined) scrubber.learn(secret)
      return secret
    },
  }
}
