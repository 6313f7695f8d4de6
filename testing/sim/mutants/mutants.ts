import type { Mutant } from './mutant.ts'
import { PROMISES } from './promises.ts'
import { UPGRADES } from './upgrades.ts'
import { SUCCESSIONS } from './succession.ts'
import { WAYS } from './ways.ts'

const ANSWERS = 'src/controller/step/answers.ts'
const STEP = 'src/controller/step/step.ts'
const CALLS = 'src/controller/calls.ts'
const LEADERSHIP = 'src/controller/leadership.ts'
const WATCH = 'src/controller/step/watch.ts'
const ORPHANS = 'src/controller/step/orphans.ts'
const GATE = 'src/controller/provider-gate.ts'
const RECONCILE = 'src/core/life/reconcile.ts'
const EVIDENCE = 'src/core/life/evidence.ts'
const SETTLE = 'src/core/life/settle.ts'

/** One for each rule of the bind protocol and each invariant of instances, at least. */
const PROTOCOL: readonly Mutant[] = [
  {
    name: 'call-before-intent',
    rule: 'rule 1: the intent is written before the provider is called',
    file: 'src/controller/step/write.ts',
    within: 'write',
    find: 'state.writing.add($key)',
    replace: `state.writing.add($key)
    for (const { phase, order } of change.placements) {
      const provider = order.place.provider
      if (phase === 'reserved') at.out.calls.push({ id: nextId(state), provider, kind: 'launch', order })
    }
`,
  },
  {
    name: 'new-attempt-each-call',
    rule: 'rule 2: the attempt id is the token and part of the tag, and stays the same when a call is repeated',
    file: CALLS,
    within: 'Caller.#launch',
    find: 'gate.provider.launch(order, $call)',
    replace:
      'gate.provider.launch({ ...order, tag: { ...order.tag, attempt: this.#leadership.deps.random.id() } }, $call)',
  },
  {
    name: 'unknown-is-refused',
    rule: 'rule 3: a timeout, a 5xx or garbage after a create is unknown',
    file: 'src/core/life/call/fault.ts',
    within: 'FAULTS.AMBIGUOUS',
    find: "({ outcome: 'unknown', created: 'maybe', scope: $scope, ttlMs: $ttl, why: $why, elsewhere: $elsewhere })",
    replace: "{ outcome: 'refused', created: 'no', scope: $scope, ttlMs: $ttl, why: $why, elsewhere: $elsewhere }",
  },
  {
    name: 'unknown-releases-its-reservation',
    rule: 'rule 4, I5: an unknown outcome keeps its reservation',
    file: 'src/core/life/placement.ts',
    within: 'isBilled',
    find: "$phase !== 'gone'",
    replace: "$phase !== 'gone' && $phase !== 'unknown'",
  },
  {
    name: 'repeat-without-token',
    rule: 'rule 4: only tokens make a repeated create safe',
    file: 'src/core/life/due-calls.ts',
    within: 'callFor',
    find: '$provider?.tokens === true && !$replayed',
    replace: '$provider !== undefined && !$replayed',
  },
  {
    name: 'repeated-refusal-is-proof',
    rule: 'rule 4: a repeated call that is refused says nothing about the first',
    file: SETTLE,
    within: 'answered',
    find: "$_.phase === 'unknown'",
    replace: 'false',
  },
  {
    name: 'incomplete-list-is-proof',
    rule: 'rule 4: only a complete list proves absence',
    file: WATCH,
    within: 'compare',
    find: 'if ($_ === undefined && !$_.complete) continue',
    replace: '',
  },
  {
    name: 'early-list-is-proof',
    rule: 'rule 4: only a list asked for after the settle window proves absence',
    file: EVIDENCE,
    within: 'seeNothing',
    find: 'if ($_ < $_.calledMs + $_) return NOTHING',
    replace: '',
  },
  {
    name: 'one-list-is-proof',
    rule: 'rule 4: one list may be hollow',
    file: EVIDENCE,
    within: 'seeNothing',
    find: '$_.absentMs === undefined',
    replace: 'false',
  },
  {
    name: 'elapsed-time-is-proof',
    rule: 'rule 4: elapsed time proves nothing',
    file: RECONCILE,
    within: 'departures',
    find: 'if (!isStillWanted($record, $placement)) $unwanted; else $late;',
    replace: `if ($placement.phase === 'unknown' && situation.nowMs > $placement.sinceMs + 45_000) {
      $placement.phase = 'reserved'
      leaving.set(slot, 'absent')
    } else if (!isStillWanted($record, $placement)) $unwanted
    else $late`,
  },
  {
    name: 'list-is-proof-for-the-named',
    rule: 'I8: an instance with a known name is looked up by it before it counts as dead',
    file: EVIDENCE,
    within: 'seeNothing',
    find: "$_.from === 'list' ? 'look' : $left",
    replace: '$left',
  },
  {
    name: 'no-boot-rule',
    rule: 'rule 5: creates in flight at a start-up are unknown',
    file: 'src/core/life/boot.ts',
    within: 'takenOver.changed',
    find: "if ($placement.phase === 'reserved') return $_",
    replace: "if ($placement.phase === 'reserved') return []",
  },
  {
    name: 'no-sweeper',
    rule: 'rule 6, I2: the sweeper stops orphans',
    file: WATCH,
    within: 'take',
    find: 'sweep($_, $_, $_)',
    replace: '',
  },
  {
    name: 'sweeper-gives-up',
    rule: 'rule 6, I2: the sweeper never gives up',
    file: ORPHANS,
    within: 'endOrphan',
    find: 'state.orphans++',
    replace: `if (state.orphans > 0) return
  state.orphans++`,
  },
  {
    name: 'write-without-term',
    rule: 'rule 7: every write carries the term',
    file: LEADERSHIP,
    within: 'Leadership.commit',
    find: 'this.deps.store.commit({ term: $_, writes, events }, $over)',
    replace: 'this.deps.store.commit({ writes, events }, $over)',
  },
  {
    name: 'lease-for-ever',
    rule: 'rule 7: the lease is checked right before each call that changes something',
    file: LEADERSHIP,
    within: 'Leadership.#renew',
    find: 'this.$held = $_ + this.tuning.leaseMs',
    replace: 'this.$held = Number.MAX_SAFE_INTEGER',
  },
  {
    name: 'leader-is-deposed-alive',
    rule: 'rule 7: a lease is valid until it runs out, unless its holder is certainly dead',
    file: 'src/controller/controller.ts',
    within: 'Controller.#ask',
    find: '$leading || $isDead?.($_) !== true',
    replace: '$leading',
  },
  {
    name: 'described-dead-is-up',
    rule: 'rule 4 and 8: a replayed token may return an instance that has died; it is described before it counts',
    file: EVIDENCE,
    within: 'seeInstance',
    find: "if ($state === 'ended') return ended($a, $b, $c)",
    replace: "if ($state === 'ended' && placement.phase !== 'starting') return ended($a, $b, $c)",
  },
  {
    name: 'stop-gives-up',
    rule: 'I2: a stop is repeated until the provider says that it is gone',
    file: SETTLE,
    within: 'settleStop',
    find: '$ok && $gone && $p.instance !== undefined',
    replace: '$p.tries >= 3 || ($ok && $gone && $p.instance !== undefined)',
  },
  {
    name: 'stopping-is-gone',
    rule: 'I1: a stop that has begun is not yet the end of billing',
    file: SETTLE,
    within: 'settleStop',
    find: '$ok && $_.gone && $named',
    replace: '$ok && $named',
  },
  {
    name: 'stopped-by-tag-is-gone',
    rule: 'I1: a stop by tag finds nothing while the create is still on its way',
    file: SETTLE,
    within: 'settleStop',
    find: '$ok && $gone && $_.instance !== undefined',
    replace: '$ok && $gone',
  },
  {
    name: 'forget-before-gone',
    rule: 'I2: a workload is forgotten only when nothing of it can exist',
    file: RECONCILE,
    within: 'isForgotten',
    find: '$placements.some(isBilled)',
    replace: "$placements.some(({ phase }) => phase === 'running')",
  },
  {
    name: 'no-deadline',
    rule: 'I3: a call without an answer is abandoned',
    file: GATE,
    within: 'ProviderGate.#withDeadline',
    find: 'await within($_, $answered)',
    replace: 'await $answered',
  },
  {
    name: 'waits-without-looking-again',
    rule: 'I3: what found no room looks again after a while, without any news',
    file: 'src/controller/waiters.ts',
    within: 'Waiters.nextMs',
    find: 'return $_ ? $_ : $never',
    replace: 'return $never',
  },
  {
    name: 'gang-slots-independent',
    rule: 'I4: a gang lives and ends together',
    file: RECONCILE,
    within: 'brokenGangs',
    find: 'return $_ ? $_ : []',
    replace: 'return []',
  },
  {
    name: 'no-limits',
    rule: 'I5: quota and budget are never exceeded',
    file: 'src/core/place/limits.ts',
    within: 'within',
    find: 'overLimit($_, $_, $_) ?? $agreed',
    replace: '$agreed',
  },
  {
    name: 'move-all-at-once',
    rule: 'I6: one migration of a workload at a time',
    file: 'src/core/life/moves.ts',
    within: 'successionsOf',
    find: '$calm && $outages.length === 0 ? $planned : $outages',
    replace: '[...$outages, ...$planned]',
  },
  {
    name: 'move-against-policy',
    rule: 'I6: work moves only by its own policy',
    file: 'src/core/life/succession.ts',
    within: 'whyMove',
    find: "$draining && $_.includes('drain')",
    replace: '$draining',
  },
  {
    name: 'unreachable-is-dead',
    rule: 'I7, I8: what cannot be reached is not dead',
    file: WATCH,
    within: 'take',
    find: 'if (!$answer.ok || $_) return',
    replace: `if (!answer.ok) {
    for (const { instance = '', order } of at.state.ledger.on(name).values()) {
      const { tag } = order
      const seen = { instance, tag, state: 'ended' }
      const outcome = { kind: 'seen', instance: seen, from: 'list', issuedMs, settleMs: can.settleMs, tokens: can.tokens }
      takeEvidence(at, workloadKeyOf({ order }), [{ slot: tag.slot, attempt: tag.attempt, outcome }])
    }
    return
  }
`,
  },
  {
    name: 'unclear-is-dead',
    rule: 'I8: an unknown state proves nothing',
    file: EVIDENCE,
    within: 'seeInstance',
    find: "if ($state === 'ended') return ended($a, $b, $c)",
    replace: "if ($state === 'ended' || $state === 'unclear') return ended($a, $b, $c)",
  },
  {
    name: 'no-rate-limit',
    rule: 'I9: bounded pressure on every provider',
    file: GATE,
    within: 'ProviderGate.#pump',
    find: 'if ($_ > TINY_MS) return $_',
    replace: '',
  },
  {
    name: 'poison-stops-all',
    rule: 'I10: one bad object delays the others by a tick at most',
    file: ANSWERS,
    within: 'putAside',
    find: 'at.state.setAside.set($key, $generation)',
    replace: `throw error
    at.state.setAside.set($key, $generation)`,
  },
  {
    name: 'too-expensive-is-kept',
    rule: 'I11: what costs more than its ceiling is ended',
    file: SETTLE,
    within: 'taken',
    find: '$_ > $_.usdPerHourMax',
    replace: 'false',
  },
  {
    name: 'secret-in-the-log',
    rule: 'I12: a secret never leaves the vault path',
    file: CALLS,
    within: 'Caller.#launch',
    find: 'return answer && $_',
    replace: `for (const [name, secret] of found?.secrets ?? []) this.#leadership.deps.log.info('launched', { [name]: secret.reveal() })
    return answer && { kind: 'launch', answer }`,
  },
  {
    name: 'slot-called-twice',
    rule: 'I1: a call about a slot is answered and written down before the next one is made',
    file: ANSWERS,
    within: 'callSlots',
    find: '$_.busy.add($_)',
    replace: 'undefined',
  },
  {
    name: 'landed-commit-forgotten',
    rule: 'I3: a workload goes on once its commit has landed',
    file: STEP,
    within: 'landed',
    find: '$_.writing.delete($_)',
    replace: '',
  },
  {
    name: 'answer-applied-twice',
    rule: 'an answer is applied once',
    file: ANSWERS,
    within: 'takeAnswers',
    find: '$_.splice(0, ANSWERS_MOST)',
    replace: '$_.slice(0, ANSWERS_MOST)',
  },
  {
    name: 'answers-during-a-write',
    rule: 'nothing is decided about a workload while a commit of it is under way',
    file: ANSWERS,
    within: 'takeAnswers',
    find: '$_.writing.has($_)',
    replace: 'false',
  },
]

/** All of them; docs/simulation.md lists them. */
export const MUTANTS: readonly Mutant[] = [...PROTOCOL, ...PROMISES, ...WAYS, ...SUCCESSIONS, ...UPGRADES]
