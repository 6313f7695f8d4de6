import type { Mutant } from './mutant.ts'

const SETTLE = 'src/core/life/settle.ts'

/** Rules about what providers do beyond single launches: queues, whole gangs, hints, refusals that leave something behind. */
export const WAYS: readonly Mutant[] = [
  {
    name: 'half-a-group-counts',
    rule: 'I4: an answer about half a gang says nothing about any of it',
    file: 'src/core/life/call/check-reply.ts',
    within: 'readGroup',
    find: '$isEach ? $members : undefined',
    replace: '$members',
  },
  {
    name: 'group-fault-for-the-first-only',
    rule: 'rule 3: what became of the launch of a gang, became of every member',
    file: 'src/controller/step/outcome.ts',
    within: 'memberOf',
    find: 'if (!$answer.ok) return $outcome',
    replace: 'if (!$answer.ok) return rank === 0 ? $outcome : undefined',
  },
  {
    name: 'hint-is-truth',
    rule: 'I8: a hint proves nothing; only a list does',
    file: 'src/controller/step/watch.ts',
    within: 'hinted',
    find: 'if ($reading === undefined) return',
    replace: `if ($reading === undefined) return
  for (const placement of state.ledger.on(provider).values()) {
    const { slot, attempt } = placement.order.tag
    const instance = { instance: placement.instance ?? '', tag: placement.order.tag, state: 'ended' }
    const outcome = { kind: 'seen', instance, from: 'list', issuedMs: nowMs, settleMs: 0, tokens: false }
    if (placement.phase === 'running') takeEvidence(at, workloadKeyOf(placement), [{ slot, attempt, outcome }])
  }
`,
  },
  {
    name: 'queued-is-late',
    rule: 'queued: a wait in the queue of a provider is no failure, however long it takes',
    file: 'src/core/life/placement.ts',
    within: 'isQueued',
    find: '$starting && $queued && $waits',
    replace: 'false',
  },
  {
    name: 'queue-counts-against-gangs',
    rule: 'queued: the time in the queue does not count against the time that a gang may take',
    file: 'src/core/life/reconcile.ts',
    within: 'isUnformed',
    find: 'isQueued($member) ? $held : $since',
    replace: '$since',
  },
  {
    name: 'leftovers-not-ended',
    rule: 'I2, I5: what a refusal leaves behind is ended before the slot is placed again',
    file: SETTLE,
    within: 'leftBehind.to',
    find: "'stopping'",
    replace: "'gone'",
  },
  {
    name: 'created-yes-is-no',
    rule: 'I5: whether something was created is as the fault says, not as is usual for its class',
    file: 'src/core/life/call/fault.ts',
    within: 'createdBy',
    find: '$created ?? $usual',
    replace: '$usual',
  },
  {
    name: 'maybe-created-is-no',
    rule: 'I5: what may have been created is ended like what was',
    file: SETTLE,
    within: 'answered',
    find: "if ($created !== 'no') return $left",
    replace: "if ($created === 'yes') return $left",
  },
  {
    name: 'throttled-leftover-is-repeated',
    rule: 'I1: a rate limit that left something behind is not only waited for',
    file: SETTLE,
    within: 'answered',
    find: "$throttled && $created === 'no'",
    replace: '$throttled',
  },
]
