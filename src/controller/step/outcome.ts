import { NOTHING, type Change, type WorkloadRecord } from '../../core/life/change.ts'
import { see, type Evidence } from '../../core/life/evidence.ts'
import type { Placement } from '../../core/life/placement.ts'
import {
  settleLaunch,
  settleMate,
  settleStop,
  settleWithheld,
  type LaunchAnswer,
  type Moment,
  type StopAnswer,
  type Withheld,
} from '../../core/life/settle.ts'
import type { CallAnswer } from './event.ts'

/** What came of a call about a slot, or what a list showed of it. */
export type SlotOutcome =
  /** `mate`: of a launch that is accounted for with the first member of its gang. */
  | { readonly kind: 'launch' | 'mate'; readonly answer: LaunchAnswer }
  | ({ readonly kind: 'withheld' } & Pick<Withheld, 'code' | 'text'>)
  | { readonly kind: 'stop'; readonly answer: StopAnswer }
  | ({ readonly kind: 'seen' } & Omit<Evidence, keyof Moment>)

/** An outcome that waits to be applied to the attempt that it is about. */
export interface Answered {
  readonly slot: string
  readonly attempt: string
  /** Undefined: there is nothing to apply. */
  readonly outcome: SlotOutcome | undefined
}

/** One of the slots that a call is about. */
interface AskedSlot {
  readonly rank: number
  /** Whether a fault of the whole call is accounted for with this one. */
  readonly isFirst: boolean
}

/** What an answer means; undefined: nothing. */
export function outcomeOf(
  { issuedMs, settleMs, tokens }: Pick<Evidence, 'issuedMs' | 'settleMs' | 'tokens'>,
  reply: CallAnswer | undefined,
  asked: AskedSlot,
): SlotOutcome | undefined {
  if (reply?.kind === 'group') return memberOf(reply.answer, asked)
  if (reply?.kind === 'launch' || reply?.kind === 'withheld' || reply?.kind === 'stop') return reply
  if (reply?.kind !== 'describe' || !reply.answer.ok) return undefined
  const instance = reply.answer.value.state === 'absent' ? undefined : reply.answer.value
  return { kind: 'seen', instance, from: 'describe', issuedMs, settleMs, tokens }
}

/** What the answer to the launch of a gang means for one member. A fault is accounted for once. */
function memberOf(
  answer: Extract<CallAnswer, { kind: 'group' }>['answer'],
  { rank, isFirst }: AskedSlot,
): SlotOutcome | undefined {
  const kind = isFirst ? 'launch' : 'mate'
  if (!answer.ok) return { kind, answer }
  const value = answer.value[rank]
  return value && { kind, answer: { ok: true, value } }
}

/** What an outcome changes. `look`: nothing yet; the provider is asked for the instance by its name. */
export function applyOutcome(
  record: WorkloadRecord,
  placement: Placement,
  { moment, outcome }: { readonly moment: Moment; readonly outcome: SlotOutcome },
): Change | 'look' {
  switch (outcome.kind) {
    case 'launch':
      return settleLaunch(record, placement, { answer: outcome.answer, ...moment })
    case 'mate':
      return settleMate(record, placement, { answer: outcome.answer, ...moment })
    case 'withheld':
      return settleWithheld(record, placement, { code: outcome.code, text: outcome.text, ...moment })
    case 'stop':
      return settleStop(record, placement, { answer: outcome.answer, ...moment })
    case 'seen': {
      const change = see(record, placement, { ...outcome, ...moment })
      // A description was requested by name: there is nothing more to look for then.
      return change === 'look' && outcome.from === 'describe' ? NOTHING : change
    }
  }
}
