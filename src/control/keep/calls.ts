import { NOTHING, type Change, type Kept } from '../../core/keep/change.ts'
import type { Placement } from '../../core/keep/placement.ts'
import { see, type Sight } from '../../core/keep/sight.ts'
import type { Answer, Described, InstanceRef, Launched } from '../../ports/provider.ts'

/** What to make of an answer, once it is the workload's turn. */
export type Settle = (kept: Kept, placement: Placement) => Change | 'look'

/** Nobody is called without what the work needs; it is tried again after a while. */
export function withoutSecret(message = 'its secrets could not be read'): Answer<Launched> {
  return { ok: false, fault: { class: 'RATE_LIMIT', message, retryAfterMs: 15_000 } }
}

/** What a description that was asked for by name shows; there is nothing more to look for then. */
export function describedSettle(
  answer: Extract<Answer<Described>, { ok: true }>,
  about: Omit<Sight, 'instance' | 'from'>,
): Settle {
  const instance = answer.value.state === 'absent' ? undefined : answer.value
  return (kept, placement) => {
    const change = see(kept, placement, { ...about, instance, from: 'describe' })
    return change === 'look' ? NOTHING : change
  }
}

/** How a provider finds what was placed. */
export function refOf({ order, instance }: Placement): InstanceRef {
  return { tag: order.tag, instance }
}
