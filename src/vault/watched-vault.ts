import type { RotatingVault } from '../ports/secret.ts'
import type { Scrubber } from './scrubber.ts'

/** The same vault, and every value that goes in or comes out of it is kept out of logs from then on. */
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
