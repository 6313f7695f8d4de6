import type { Reserve } from '../../manifest/manifest.ts'

/** For how many replicas room must stay empty: the number itself, or the share of those that run, rounded up. */
export function replicasInReserve(reserve: Reserve | undefined, running: number): number {
  switch (reserve?.kind) {
    case undefined:
      return 0
    case 'count':
      return reserve.count
    case 'share': {
      // Shares are written with two decimals of a percent. In whole numbers 7% of 100 is 7 and not a little more.
      const tenThousandths = Math.round(reserve.share * 10_000)
      return Math.ceil((tenThousandths * running) / 10_000)
    }
  }
}
