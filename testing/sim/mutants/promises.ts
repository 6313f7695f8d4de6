import type { Mutant } from './mutants.ts'

const WORK = 'src/controller/reconciler.ts'
const CALLS = 'src/controller/calls.ts'
const LEADERSHIP = 'src/controller/leadership.ts'
const DRIVER = 'src/controller/driver.ts'
const WATCH = 'src/controller/watcher.ts'
const RECONCILE = 'src/core/life/reconcile.ts'
const SIGHT = 'src/core/life/evidence.ts'
const SETTLE = 'src/core/life/settle.ts'
const LEAVE = 'src/core/life/leave.ts'
const FAIL = 'src/core/life/fail.ts'

/** Promises beyond the bind protocol: service, restarts, spread, events, secrets, requests, bounds, clocks. */
export const PROMISES: readonly Mutant[] = [
  {
    name: 'secret-of-wrong-project',
    rule: "I12: only its own project's work gets a secret",
    file: CALLS,
    find: 'secretsFor(this.#leadership.deps, order.tag.project, order.secrets)',
    replace: "secretsFor(this.#leadership.deps, 'default', order.secrets)",
  },
  {
    name: 'lease-from-answer',
    rule: 'rule 7: a lease counts from when it was asked for, not from when the answer came',
    file: LEADERSHIP,
    find: 'this.#heldUntilMs = askedMs + this.tuning.leaseMs',
    replace: 'this.#heldUntilMs = clock.tickMs() + this.tuning.leaseMs',
  },
  {
    name: 'boot-keeps-old-window',
    rule: 'rules 4 and 5: the settle window begins anew with each leader',
    file: 'src/core/life/boot.ts',
    find: 'const again = { calledMs: nowMs, absentMs: undefined }',
    replace: 'const again = {}',
  },
  {
    name: 'quota-leaks-when-gone',
    rule: 'I3, I5: what is gone gives its quota back',
    file: 'src/controller/ledger.ts',
    find: 'gpus: gpus + sign * placement.reserved.gpus,',
    replace: 'gpus: gpus + Math.max(0, sign) * placement.reserved.gpus,',
  },
  {
    name: 'spread-forgets-siblings',
    rule: 'spread: replicas lie apart from those that are there',
    file: 'src/core/life/bind/bind.ts',
    find: 'reserve: undefined, placed }',
    replace: 'reserve: undefined, placed: [] }',
  },
  {
    name: 'resume-point-dropped',
    rule: 'resume: a job begins again from the newest checkpoint that was seen',
    file: 'src/core/life/bind/bind.ts',
    find: 'resumeFromMs: status.resumePoints[group],',
    replace: 'resumeFromMs: undefined,',
  },
  {
    name: 'checkpoint-unseen',
    rule: 'resume: checkpoints are written down while work runs',
    file: SIGHT,
    find: 'checkpointMs: checkpointMs ?? placement.checkpointMs,',
    replace: 'checkpointMs: placement.checkpointMs,',
  },
  {
    name: 'no-backoff',
    rule: 'backoff: what fails is not started again at once',
    file: FAIL,
    find: 'backoffUntilMs: nowMs + backoffMs(failures, chance)',
    replace: 'backoffUntilMs: nowMs',
  },
  {
    name: 'restarts-off-by-one',
    rule: 'restarts: work has all the starts that it was promised',
    file: FAIL,
    find: 'failures <= max',
    replace: 'failures < max',
  },
  {
    name: 'one-restart-too-many',
    rule: 'restarts: and not one more',
    file: FAIL,
    find: 'failures <= max',
    replace: 'failures <= max + 1',
  },
  {
    name: 'lost-time-not-counted',
    rule: 'lost seconds: work that has to be done again is counted',
    file: LEAVE,
    find: 'lostSeconds: status.lostSeconds + lostSeconds(record, left, nowMs)',
    replace: 'lostSeconds: status.lostSeconds',
  },
  {
    name: 'events-dropped',
    rule: 'events: whatever happens to work is told',
    file: LEADERSHIP,
    find: 'return events.map(({ kind, facts }) =>',
    replace: 'return events.slice(1).map(({ kind, facts }) =>',
  },
  {
    name: 'sold-out-not-remembered',
    rule: 'refusals: what was refused is not asked for again at once',
    file: SETTLE,
    find: '...(refusal && { refusals: [refusal] }),',
    replace: '',
  },
  {
    name: 'refusals-never-forgotten',
    rule: 'refusals: and is forgotten after its time',
    file: DRIVER,
    find: 'const writes = ledger.expired(this.#leadership.nowMs())',
    replace: 'const writes = []',
  },
  {
    name: 'sweeps-strangers',
    rule: 'I2: what belongs to others is never touched',
    file: WATCH,
    find: "tag.owner === owner && state !== 'ended' && !this",
    replace: "state !== 'ended' && !this",
  },
  {
    name: 'sick-replica-ignored',
    rule: 'I13: a roll-out stops at a replica that is not well',
    file: RECONCILE,
    find: '  if (healthy === false) return Infinity\n',
    replace: '',
  },
  {
    name: 'health-unseen',
    rule: 'I13: who is not well is known to be',
    file: SIGHT,
    find: "const healthy = seen.state === 'unclear' ? placement.healthy : seen.healthy",
    replace: 'const { healthy } = placement',
  },
  {
    name: 'adopted-never-priced',
    rule: 'I11: what was adopted without a price is held to its ceiling once it has one',
    file: SIGHT,
    find: 'const unpriced = isUnheard && usdPerHour === undefined',
    replace: 'const unpriced = false',
  },
  {
    name: 'unreadable-counts-as-gone',
    rule: 'I8: what cannot be read is not gone',
    file: CALLS,
    find: 'if (answer === undefined || !answer.ok) return undefined\n',
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
    find: '    if (!canLeave(placement, situation)) continue\n',
    replace: `    if (situation.provider(placement.order.place.provider) === undefined) {
      placement.phase = 'reserved'
      leaving.set(slot, 'absent')
    }
    if (!canLeave(placement, situation)) continue
`,
  },
  {
    name: 'conflict-unseen',
    rule: 'accepted: a change that met another one is made again',
    file: 'src/service/requests.ts',
    find: "if (committed.kind === 'done') return made.answer",
    replace: 'return made.answer',
  },
  {
    name: 'key-not-kept',
    rule: 'accepted: a request that is repeated is carried out once',
    file: 'src/service/requests.ts',
    find: '  if (once === undefined) return commit\n',
    replace: '  return commit\n',
  },
  {
    name: 'workloads-over-quota',
    rule: 'I5: a project has no more workloads than it may',
    file: 'src/service/workload/checks.ts',
    find: 'if (there < most)',
    replace: 'if (true)',
  },
  {
    name: 'reader-may-write',
    rule: 'roles: who may read changes nothing',
    file: 'src/service/access.ts',
    find: "'workload.change': { roles: WRITERS,",
    replace: "'workload.change': { roles: EVERYBODY,",
  },
  {
    name: 'neighbour-may-write',
    rule: 'roles: nobody reaches into another project',
    file: 'src/service/access.ts',
    find: 'return project !== undefined && (isEverywhere || principal.projects.includes(project))',
    replace: 'return project !== undefined',
  },
  {
    name: 'turn-without-end',
    rule: 'I14: no turn takes so long that others have to wait',
    file: WORK,
    find: 'if (tookMs >= TURN_MS) return',
    replace: 'if (tookMs >= 1000 * TURN_MS) return',
  },
  {
    name: 'failing-generation-ends-workload',
    rule: 'I13: a change that fails ends its roll-out, never the workload',
    file: FAIL,
    find: "if (workload.manifest.kind !== 'service' || !isServing) {",
    replace: 'if (true) {',
  },
  {
    name: 'failing-generation-goes-on',
    rule: 'I13: a roll-out stops at the first replica that fails',
    file: RECONCILE,
    find: 'if (!isThere || !members.every((member) => isStanding(member, why))) return undefined',
    replace: 'if (!isThere || !members.every((member) => isStanding(member, why))) continue',
  },
  {
    name: 'forgiven-by-time',
    rule: 'restarts: failures are forgiven by progress, never by time',
    file: LEAVE,
    find: 'const isForgiven = hasProgressed(record, left, nowMs)',
    replace: 'const isForgiven = nowMs - (left.upMs ?? nowMs) >= 3_600_000',
  },
  {
    name: 'wall-clock-waits',
    rule: 'I3: no stored wait is longer than the longest of its kind, whatever clock wrote it',
    file: 'src/core/life/boot.ts',
    find: "nextTryMs: nextTryMs > nowMs + (phase === 'stopping' ? 0 : RETRY_MOST_MS) ? soonMs : nextTryMs,",
    replace: 'nextTryMs,',
  },
  {
    name: 'late-by-another-clock',
    rule: 'I8: only time that a leader has seen pass counts against what is on its way',
    file: 'src/core/life/boot.ts',
    find: "sinceMs: phase === 'starting' ? within(sinceMs, START_MOST_MS, nowMs) : Math.min(sinceMs, nowMs),",
    replace: 'sinceMs,',
  },
]
