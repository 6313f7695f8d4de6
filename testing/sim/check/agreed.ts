import { wishOf } from '../service.ts'
import { TOLERANCE } from '../users/wishes.ts'
import type { Check, Evidence } from './check.ts'

/** I11: no place is taken that costs more than its user agreed to. */
export function agreedCheck({ mirror, broke }: Evidence): Check {
  return {
    written: ({ writes }) => {
      for (const { kind, key, body } of writes) {
        if (kind !== 'placement' || body === undefined || mirror.attempts.has(body.order.tag.attempt)) continue
        const workload = mirror.ownerOf(body)
        const { agreedUsd } = (workload && wishOf(workload)) ?? {}
        const { usdPerHour } = body.reserved
        if (agreedUsd === undefined || usdPerHour <= agreedUsd * (1 + TOLERANCE) + 1e-6) continue
        broke('I11', `${key} is bound for $${usdPerHour} an hour, and its user agreed to $${agreedUsd}`)
      }
    },
  }
}
