import { PROMISES } from './promises.ts'

/** A rule of the protocol switched off: the text of a product file is changed while it is loaded, nothing else. */
export interface Mutant {
  readonly name: string
  /** The rule or invariant that is broken by it. */
  readonly rule: string
  /** From the repository's root. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
}

const WORK = 'src/controller/reconciler.ts'
const CALLS = 'src/controller/calls.ts'
const LEADERSHIP = 'src/controller/leadership.ts'
const WATCH = 'src/controller/watcher.ts'
const LANE = 'src/controller/provider-gate.ts'
const RECONCILE = 'src/core/life/reconcile.ts'
const SIGHT = 'src/core/life/evidence.ts'
const SETTLE = 'src/core/life/settle.ts'

/** One for each rule of the bind protocol and each invariant of instances, at least. */
const PROTOCOL: readonly Mutant[] = [
  {
    name: 'call-before-intent',
    rule: 'rule 1: the intent is written before anybody is called',
    file: WORK,
    find: '    this.#writing.add(key)\n',
    replace: `    this.#writing.add(key)
    for (const each of change.placements) {
      const provider = this.#leadership.deps.platform().providers.get(each.order.place.provider)?.provider
      if (each.phase === 'reserved' && provider) void this.#caller.answerOf('launch', each, this.#leadership.lanes.of(provider))
    }
`,
  },
  {
    name: 'new-attempt-each-call',
    rule: 'rule 2: the attempt id is the token and the tag, and stays the same when a call is repeated',
    file: CALLS,
    find: 'gate.provider.launch(order, {',
    replace: 'gate.provider.launch({ ...order, tag: { ...order.tag, attempt: this.#leadership.deps.random.id() } }, {',
  },
  {
    name: 'unknown-is-refused',
    rule: 'rule 3: a timeout, a 5xx or garbage after a create is unknown',
    file: 'src/core/life/call/fault.ts',
    find: "AMBIGUOUS: { outcome: 'unknown'",
    replace: "AMBIGUOUS: { outcome: 'refused'",
  },
  {
    name: 'unknown-releases-its-reservation',
    rule: 'rule 4, I5: an unknown outcome keeps its reservation',
    file: 'src/core/life/placement.ts',
    find: "  return phase !== 'gone'\n",
    replace: "  return phase !== 'gone' && phase !== 'unknown'\n",
  },
  {
    name: 'repeat-without-token',
    rule: 'rule 4: only tokens make a repeated create safe',
    file: RECONCILE,
    find: '?.tokens === true && !replayed',
    replace: ' !== undefined && !replayed',
  },
  {
    name: 'repeated-refusal-is-proof',
    rule: 'rule 4: a repeated call that is refused says nothing about the first',
    file: SETTLE,
    find: "if (placement.phase === 'unknown') return { ...later(",
    replace: 'if (false) return { ...later(',
  },
  {
    name: 'incomplete-list-is-proof',
    rule: 'rule 4: only a complete list proves absence',
    file: WATCH,
    find: 'if (instance === undefined && !listing.complete) continue',
    replace: '',
  },
  {
    name: 'early-list-is-proof',
    rule: 'rule 4: only a list asked for after the settle window proves absence',
    file: SIGHT,
    find: 'if (issuedMs < placement.calledMs + settleMs) return NOTHING',
    replace: '',
  },
  {
    name: 'one-list-is-proof',
    rule: 'rule 4: one list may be hollow',
    file: SIGHT,
    find: 'if (placement.absentMs === undefined) return {',
    replace: 'if (false) return {',
  },
  {
    name: 'elapsed-time-is-proof',
    rule: 'rule 4: elapsed time proves nothing',
    file: RECONCILE,
    find: 'else if (!isStillWanted(record, placement)) leaving.set(slot, whyUnwanted(record))',
    replace: `else if (placement.phase === 'unknown' && situation.nowMs > placement.sinceMs + 45_000) {
      placement.phase = 'reserved'
      leaving.set(slot, 'absent')
    } else if (!isStillWanted(record, placement)) leaving.set(slot, whyUnwanted(record))`,
  },
  {
    name: 'list-is-proof-for-the-named',
    rule: 'I8: what has a name is looked up by it before it counts as dead',
    file: SIGHT,
    find: "return evidence.from === 'list' ? 'look' : leave(",
    replace: 'return leave(',
  },
  {
    name: 'no-boot-rule',
    rule: 'rule 5: creates in flight at a start-up are unknown',
    file: 'src/core/life/boot.ts',
    find: "if (placement.phase === 'reserved') return [",
    replace: "if (placement.phase === 'reserved') return []\n    if (false) return [",
  },
  {
    name: 'no-sweeper',
    rule: 'rule 6, I2: the sweeper ends what nobody owns',
    file: WATCH,
    find: 'await this.#sweep(answer.value, gate)',
    replace: '',
  },
  {
    name: 'sweeper-gives-up',
    rule: 'rule 6, I2: the sweeper never gives up',
    file: WATCH,
    find: '    this.#tellOfOrphan(gate.provider.name',
    replace: '    if (this.orphans > 0) return\n    this.#tellOfOrphan(gate.provider.name',
  },
  {
    name: 'write-without-term',
    rule: 'rule 7: every write carries the term',
    file: LEADERSHIP,
    find: 'commit({ term: this.number, writes, events })',
    replace: 'commit({ writes, events })',
  },
  {
    name: 'lease-for-ever',
    rule: 'rule 7: the lease is checked right before each call that changes something',
    file: LEADERSHIP,
    find: 'this.#heldUntilMs = askedMs + this.tuning.leaseMs',
    replace: 'this.#heldUntilMs = Number.MAX_SAFE_INTEGER',
  },
  {
    name: 'leader-is-deposed-alive',
    rule: 'rule 7: a lease runs out, unless its holder is surely dead',
    file: 'src/controller/controller.ts',
    find: ' || isDead?.(led.holder) !== true',
    replace: '',
  },
  {
    name: 'described-dead-is-up',
    rule: 'rule 4 and 8: a replayed token can hand back what has died; it is described before it counts',
    file: SIGHT,
    find: "if (instance.state === 'ended') return ended(record, known, evidence)",
    replace: "if (instance.state === 'ended' && placement.phase !== 'starting') return ended(record, known, evidence)",
  },
  {
    name: 'stop-gives-up',
    rule: 'I2: a stop is repeated until the provider says that it is gone',
    file: SETTLE,
    find: 'if (answer.ok && answer.value.gone && placement.instance !== undefined) {',
    replace: 'if (placement.tries >= 3 || (answer.ok && answer.value.gone && placement.instance !== undefined)) {',
  },
  {
    name: 'stopping-is-gone',
    rule: 'I1: a stop that has begun is not yet the end of billing',
    file: SETTLE,
    find: 'if (answer.ok && answer.value.gone && placement.instance !== undefined) {',
    replace: 'if (answer.ok && placement.instance !== undefined) {',
  },
  {
    name: 'stopped-by-tag-is-gone',
    rule: 'I1: a stop by tag finds nothing while the create is still on its way',
    file: SETTLE,
    find: 'if (answer.ok && answer.value.gone && placement.instance !== undefined) {',
    replace: 'if (answer.ok && answer.value.gone) {',
  },
  {
    name: 'forget-before-gone',
    rule: 'I2: a workload is forgotten only when nothing of it can exist',
    file: RECONCILE,
    find: "workload.want === 'removed' && ![...placements.values()].some(isBilled)",
    replace: "workload.want === 'removed' && ![...placements.values()].some(({ phase }) => phase === 'running')",
  },
  {
    name: 'no-deadline',
    rule: 'I3: a call without an answer is given up',
    file: LANE,
    find: 'await Promise.race([answered, waited])',
    replace: 'await answered',
  },
  {
    name: 'waits-without-looking-again',
    rule: 'I3: who has found no room looks again, whatever else woke it',
    file: WORK,
    find: '      this.#alarm.set(key, againMs)\n',
    replace: '',
  },
  {
    name: 'gang-slots-independent',
    rule: 'I4: a gang lives and ends together',
    file: RECONCILE,
    find: 'return isBroken ? slots.filter((slot) => !leaving.has(slot)) : []',
    replace: 'return []',
  },
  {
    name: 'no-limits',
    rule: 'I5: quota and budget are never exceeded',
    file: 'src/core/life/bind/usage.ts',
    find: 'if (over !== undefined) return {',
    replace: 'if (false) return {',
  },
  {
    name: 'move-all-at-once',
    rule: 'I6: one migration of a workload at a time',
    file: RECONCILE,
    find: 'if (!isThere || !members.every((member) => isStanding(member, why))) return undefined',
    replace: "if (!isThere || members.some(({ phase }) => phase === 'stopping')) continue",
  },
  {
    name: 'move-against-policy',
    rule: 'I6: work moves only by its own policy',
    file: RECONCILE,
    find: "return isDraining && manifest.migration.on.includes('drain') ? 'drained' : undefined",
    replace: "return isDraining ? 'drained' : undefined",
  },
  {
    name: 'unreachable-is-dead',
    rule: 'I7, I8: what cannot be reached is not dead',
    file: WATCH,
    find: 'if (!answer.ok) return\n',
    replace: `if (!answer.ok) {
      for (const placement of this.#ledger.on(name).values()) {
        const instance = { instance: placement.instance ?? '', tag: placement.order.tag, state: 'ended' }
        this.#work.evidence(placement, (record, now) => see(record, now, this.#sightOf(instance, issuedMs, provider.can.settleMs)))
      }
      return
    }
`,
  },
  {
    name: 'unclear-is-dead',
    rule: 'I8: a state that nobody knows means nothing',
    file: SIGHT,
    find: "if (instance.state === 'ended') return ended(record, known, evidence)",
    replace: "if (instance.state === 'ended' || instance.state === 'unclear') return ended(record, known, evidence)",
  },
  {
    name: 'no-rate-limit',
    rule: 'I9: bounded pressure on every provider',
    file: LANE,
    find: 'if (waitMs > TINY_MS) return this.#pumpIn(Math.min(waitMs, LOOK_MS))',
    replace: '',
  },
  {
    name: 'poison-stops-all',
    rule: 'I10: one bad object delays the others by a tick at most',
    file: WORK,
    find: '    this.#setAside.set(key, record.workload.generation)\n',
    replace: '    throw error\n    this.#setAside.set(key, record.workload.generation)\n',
  },
  {
    name: 'too-expensive-is-kept',
    rule: 'I11: what costs more than its ceiling is ended',
    file: SETTLE,
    find: 'if (usdPerHour > order.usdPerHourMax)',
    replace: 'if (false)',
  },
  {
    name: 'secret-in-the-log',
    rule: 'I12: a secret never leaves the vault path',
    file: CALLS,
    find: '    if (answer === undefined) return undefined\n    return (record, placement) => settleLaunch(',
    replace: `    for (const [name, secret] of found?.secrets ?? []) this.#leadership.deps.log.info('launched', { [name]: secret.reveal() })
    if (answer === undefined) return undefined
    return (record, placement) => settleLaunch(`,
  },
]

/** All of them; docs/simulation.md lists them. */
export const MUTANTS: readonly Mutant[] = [...PROTOCOL, ...PROMISES]
