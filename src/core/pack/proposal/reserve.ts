import type { Reserve } from '../../manifest/manifest.ts'

/** How many replicas need room in reserve: the number itself, or a share of those that run, rounded up. */
export function replicasInReserve(reserve: Reserve | undefined, running: number): number {
  switch (reserve?.kind) {
    case undefined:
      return 0
    case 'count':
      return reserve.count
    case 'share': {
      // Shares have at most two decimals of a percent. In whole numbers, 7% of 100 is exactly 7.
      const tenThousandths = Math.round(reserve.share * 10_000)
      return Math.ceil((tenThousandths * running) / 10_000)
    }
  }
}
