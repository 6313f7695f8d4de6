import type { Mutant } from './mutant.ts'

const WORK = 'src/controller/reconciler.ts'
const CALLS = 'src/controller/calls.ts'
const LEADERSHIP = 'src/controller/leadership.ts'
const DRIVER = 'src/controller/driver.ts'
const WATCH = 'src/controller/watcher.ts'
const RECONCILE = 'src/core/life/reconcile.ts'
const EVIDENCE = 'src/core/life/evidence.ts'
const SETTLE = 'src/core/life/settle.ts'
const LEAVE = 'src/core/life/leave.ts'
const FAIL = 'src/core/life/fail.ts'

/** Promises beyond the bind protocol: service, restarts, spread, events, secrets, requests, bounds, clocks. */
export const PROMISES: readonly Mutant[] = [
  {
    name: 'secret-of-wrong-project',
    rule: "I12: only its own project's work gets a secret",
    file: CALLS,
    within: 'Caller.#launch',
    find: 'secretsFor($deps, $_, $secrets)',
    replace: "secretsFor($deps, 'default', $secrets)",
  },
  {
    name: 'lease-from-answer',
    rule: 'rule 7: a lease counts from when it was asked for, not from when the answer came',
    file: LEADERSHIP,
    within: 'Leadership.#renew',
    find: 'this.$held = $_ + this.tuning.leaseMs',
    replace: 'this.$held = clock.tickMs() + this.tuning.leaseMs',
  },
  {
    name: 'boot-keeps-old-window',
    rule: 'rules 4 and 5: the settle window begins anew with each leader',
    file: 'src/core/life/boot.ts',
    within: 'takenOver',
    find: '({ calledMs: $_, absentMs: undefined })',
    replace: '{}',
  },
  {
    name: 'quota-leaks-when-gone',
    rule: 'I3, I5: what is gone gives its quota back',
    file: 'src/controller/ledger.ts',
    within: 'Ledger.#count',
    find: '$gpus + $sign * $reserved.gpus',
    replace: '$gpus + Math.max(0, $sign) * $reserved.gpus',
  },
  {
    name: 'spread-forgets-siblings',
    rule: 'spread: replicas are spread away from those that already run',
    file: 'src/core/life/bind/bind.ts',
    within: 'planFor.asks',
    find: '({ ...$ask, $replicas, reserve: $none, placed })',
    replace: '{ ...$ask, $replicas, reserve: $none, placed: [] }',
  },
  {
    name: 'resume-point-dropped',
    rule: 'resume: a job resumes from the newest checkpoint that was seen',
    file: 'src/core/life/bind/bind.ts',
    within: 'orderFor.resumeFromMs',
    find: '$_.resumePoints[$_]',
    replace: 'undefined',
  },
  {
    name: 'checkpoint-unseen',
    rule: 'resume: checkpoints are recorded while work runs',
    file: EVIDENCE,
    within: 'reported.checkpointMs',
    find: '$_ ?? $before',
    replace: '$before',
  },
  {
    name: 'no-backoff',
    rule: 'backoff: what fails is not started again at once',
    file: FAIL,
    within: 'failed.backoffUntilMs',
    find: '$now + backoffMs($_, $_)',
    replace: '$now',
  },
  {
    name: 'restarts-off-by-one',
    rule: 'restarts: work has all the starts that it was promised',
    file: FAIL,
    within: 'failed',
    find: '$failures <= $max',
    replace: '$failures < $max',
  },
  {
    name: 'one-restart-too-many',
    rule: 'restarts: and not one more',
    file: FAIL,
    within: 'failed',
    find: '$failures <= $max',
    replace: '$failures <= $max + 1',
  },
  {
    name: 'lost-time-not-counted',
    rule: 'lost seconds: work that has to be done again is counted',
    file: LEAVE,
    within: 'accounted.lostSeconds',
    find: '$before + lostSeconds($_, $_, $_)',
    replace: '$before',
  },
  {
    name: 'events-dropped',
    rule: 'events: whatever happens to work is recorded as an event',
    file: LEADERSHIP,
    within: 'Leadership.eventsOf',
    find: '$events.map($as)',
    replace: '$events.slice(1).map($as)',
  },
  {
    name: 'sold-out-not-remembered',
    rule: 'refusals: what was refused is not asked for again at once',
    file: SETTLE,
    within: 'refused.change',
    find: '({ refusals: [$_] })',
    replace: '{}',
  },
  {
    name: 'refusals-never-forgotten',
    rule: 'refusals: and is forgotten after its time',
    file: DRIVER,
    within: 'Driver.#forget',
    find: '$_.expired($_)',
    replace: '[]',
  },
  {
    name: 'sweeps-strangers',
    rule: 'I2: what belongs to others is never touched',
    file: WATCH,
    within: 'Watcher.#sweep',
    find: '$_.owner === $_ && $alive && $ours',
    replace: '$alive && $ours',
  },
  {
    name: 'sick-replica-ignored',
    rule: 'I13: a roll-out stops at an unhealthy replica',
    file: RECONCILE,
    within: 'steadyAtMs',
    find: 'if ($_ === false) return Infinity',
    replace: '',
  },
  {
    name: 'health-unseen',
    rule: 'I13: an unhealthy replica is noticed',
    file: EVIDENCE,
    within: 'reported.healthy',
    find: '$_ ? $before : $_',
    replace: '$before',
  },
  {
    name: 'adopted-never-priced',
    rule: 'I11: what was adopted without a price is held to its ceiling once it has one',
    file: EVIDENCE,
    within: 'seeInstance.unpriced',
    find: '$_ && $_ === undefined',
    replace: 'false',
  },
  {
    name: 'unreadable-counts-as-gone',
    rule: 'I8: what cannot be read is not gone',
    file: CALLS,
    within: 'Caller.#describe',
    find: 'if ($answer === undefined || !$answer.ok) return undefined',
    replace: `if (answer === undefined) return undefined
    if (!answer.ok) {
      const absent = { ok: true, value: { state: 'absent' } }
      return describedSettle(absent, { issuedMs, settleMs: gate.provider.can.settleMs, ...this.#moment() })
    }
`,
  },
  {
    name: 'unconfigured-provider-forgotten',
    rule: 'I8: what runs at a provider that is no longer configured is not gone',
    file: RECONCILE,
    within: 'departures',
    find: 'if (!canLeave(placement, situation)) continue',
    replace: `    if (situation.provider(placement.order.place.provider) === undefined) {
      placement.phase = 'reserved'
      leaving.set(slot, 'absent')
    }
    if (!canLeave(placement, situation)) continue
`,
  },
  {
    name: 'conflict-unseen',
    rule: 'accepted: a change that conflicts with another one is made again',
    file: 'src/service/requests.ts',
    within: 'changeOnce',
    find: "if ($_.kind === 'done') return $answer",
    replace: 'return $answer',
  },
  {
    name: 'key-not-kept',
    rule: 'accepted: a repeated request is carried out once',
    file: 'src/service/requests.ts',
    within: 'withRequest',
    find: 'if ($_ === undefined) return $commit',
    replace: 'return $commit',
  },
  {
    name: 'key-not-read',
    rule: 'accepted: the key that a request carries is heeded',
    file: 'src/server/understand.ts',
    within: 'onceOf',
    find: 'if (!$_ || $_ === undefined) return undefined',
    replace: 'return undefined',
  },
  {
    name: 'routes-without-roles',
    rule: 'roles: every route asks whether its caller may use it',
    file: 'src/server/server.ts',
    within: 'letIn',
    find: 'if ($_ !== undefined) authorise($_, $_, $_)',
    replace: '',
  },
  {
    name: 'any-token-opens',
    rule: 'roles: a token is proved, and is of one caller',
    file: 'src/service/tokens.ts',
    within: 'makeAuthenticator.open',
    find: '({ name, role: $_.role, projects: $_.projects })',
    replace: "{ name, role: 'admin', projects: ['*'] }",
  },
  {
    name: 'workloads-over-quota',
    rule: 'I5: a project has no more workloads than its limit',
    file: 'src/service/workload/checks.ts',
    within: 'underQuota',
    find: '$_ < $_',
    replace: 'true',
  },
  {
    name: 'reader-may-write',
    rule: 'roles: a reader changes nothing',
    file: 'src/service/access.ts',
    within: "RULES['workload.change']",
    find: 'WRITERS',
    replace: 'EVERYBODY',
  },
  {
    name: 'neighbour-may-write',
    rule: 'roles: no caller reaches into another project',
    file: 'src/service/access.ts',
    within: 'mayDo',
    find: '$named && ($_ || $_.projects.includes($_))',
    replace: '$named',
  },
  {
    name: 'turn-without-end',
    rule: 'I14: no turn takes so long that others have to wait',
    file: WORK,
    within: 'Reconciler.turn',
    find: '$took >= TURN_MS',
    replace: '$took >= 1000 * TURN_MS',
  },
  {
    name: 'failing-generation-ends-workload',
    rule: 'I13: a change that fails ends its roll-out, never the workload',
    file: FAIL,
    within: 'givenUp',
    find: "$_ !== 'service' || !$_",
    replace: 'true',
  },
  {
    name: 'failing-generation-goes-on',
    rule: 'I13: a roll-out stops at the first replica that fails',
    file: RECONCILE,
    within: 'moveOf',
    find: 'if (!$there || !$members.every($each)) return undefined',
    replace: 'if (!$there || !$members.every($each)) continue',
  },
  {
    name: 'forgiven-by-time',
    rule: 'restarts: failures are forgiven by progress, never by time',
    file: LEAVE,
    within: 'accounted.isForgiven',
    find: 'hasProgressed($_, $left, $now)',
    replace: '$now - ($left.upMs ?? $now) >= 3_600_000',
  },
  {
    name: 'wall-clock-waits',
    rule: 'I3: no stored wait is longer than the longest of its kind, whatever clock wrote it',
    file: 'src/core/life/boot.ts',
    within: 'cut.nextTryMs',
    find: '$_ > $_ ? $_ : $kept',
    replace: '$kept',
  },
  {
    name: 'late-by-another-clock',
    rule: 'I8: only time that a leader has seen pass counts against a launch that is under way',
    file: 'src/core/life/boot.ts',
    within: 'cut.sinceMs',
    find: '$_ ? within($since, $_, $_) : $_',
    replace: '$since',
  },
]
