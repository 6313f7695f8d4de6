import type { Leaving, Placement } from '../../../src/core/life/placement.ts'
import { groupOf, groupsWanted } from '../../../src/core/life/slots.ts'
import type { Status } from '../../../src/core/life/status.ts'
import type { Workload } from '../../../src/core/life/workload.ts'
import type { Commit } from '../../../src/ports/store.ts'
import { isLeaving, stepsOf, type Check, type Evidence, type Step } from './check.ts'

const SECOND_MS = 1000
const NOTICED_MS = 6 * 60 * SECOND_MS
/** A service that was up for almost so long may begin from nothing. */
const FORGIVEN_MS = 9 * 60 * SECOND_MS
/** What a job is given when it says nothing. */
const RESTARTS_MAX = 3
/** Waits after the first failure, and at most; half of it may be chance. */
const BACKOFF_MS = 10 * SECOND_MS
const BACKOFF_MOST_MS = 300 * SECOND_MS

/** Departures after which the same work begins again, and its loss counts. */
const COUNTED: ReadonlySet<Leaving> = new Set(['exited', 'died', 'preempted', 'late', 'gang', 'drained', 'replaced'])

/** How often a workload has failed by itself, counted in two ways: what must count at least, and what may at most. */
interface Tally {
  readonly generation: number
  readonly all: number
  /** Since it was last seen to come forward: nothing has forgiven these. */
  readonly unforgiven: number
  readonly newestMs: number
}

/** Restarts: where they resume, how many there are, how soon they come, and what they say was lost. */
export function jobsCheck(evidence: Evidence): Check {
  const { mirror } = evidence
  const tallies = new Map<string, Tally>()
  /** By workload uid and group: the newest checkpoint of what had to leave. */
  const saved = new Map<string, number>()
  /** By row: when it was said to be up, on the true clock. */
  const upMs = new Map<string, number>()
  const waits = new Map<string, { readonly term: number | undefined; readonly untilMs: number }>()
  const books = { tallies, saved, upMs, waits }
  return {
    written: (commit) => {
      const steps = stepsOf(commit, mirror)
      const status = statusIn(commit)
      if (status !== undefined) turnPage(status, steps, { evidence, books })
      for (const step of steps) {
        if (step.before === undefined) checkIntent(step, commit, { evidence, books })
        if (step.after.phase === 'running' && step.before?.phase !== 'running') {
          upMs.set(step.after.order.tag.attempt, evidence.witness.nowMs())
        }
        if (isLeaving(step)) checkDeparture(step, commit, { evidence, books })
      }
      if (status?.value.end !== undefined) checkEnd(status, { evidence, books })
    },
    tick: () => checkNews(evidence),
  }
}

interface Books {
  readonly tallies: Map<string, Tally>
  readonly saved: Map<string, number>
  readonly upMs: Map<string, number>
  readonly waits: Map<string, { readonly term: number | undefined; readonly untilMs: number }>
}

interface Checking {
  readonly evidence: Evidence
  readonly books: Books
}

interface Written {
  readonly key: string
  readonly value: Status
}

function statusIn({ writes }: Commit): Written | undefined {
  for (const { kind, key, body } of writes) {
    // Proven: rows of this kind hold statuses.
    if (kind === 'status' && body !== undefined) return { key, value: body as Status }
  }
  return undefined
}

function groupKey({ order: { tag } }: Placement): string {
  return `${tag.uid}/${groupOf(tag.slot)}`
}

function raise(into: Map<string, number>, key: string, value: number): void {
  into.set(key, Math.max(into.get(key) ?? 0, value))
}

/** A run that is done, and a new generation while nothing runs, begin from nothing. */
function turnPage({ key, value }: Written, steps: readonly Step[], { evidence, books }: Checking): void {
  const before = evidence.mirror.statuses.get(key)
  const isNew = before?.uid !== value.uid || before.generation !== value.generation
  if (isNew) {
    books.tallies.delete(value.uid)
    books.waits.delete(value.uid)
    const placements = [...evidence.mirror.placements.values()].filter(({ order }) => order.tag.uid === value.uid)
    const isRunning = before?.end === undefined && placements.some(({ phase }) => phase !== 'gone')
    if (!isRunning) for (const each of placements) books.saved.delete(groupKey(each))
  }
  if (before === undefined || value.completed.length <= before.completed.length) return
  books.tallies.delete(value.uid)
  for (const { after } of steps) if (after.why === 'finished') books.saved.delete(groupKey(after))
}

/** What begins again begins from the last checkpoint that was seen, and not before its wait is over. */
function checkIntent({ key, workload: at, after }: Step, { term }: Commit, { evidence, books }: Checking): void {
  const { mirror, broke } = evidence
  const workload = mirror.workloads.get(at)
  const { tag, resumeFromMs } = after.order
  if (workload === undefined || workload.uid !== tag.uid) return
  const newest = books.saved.get(groupKey(after))
  if (workload.manifest.checkpoint !== undefined && newest !== undefined && (resumeFromMs ?? 0) < newest) {
    broke('resume', `${key} begins from ${resumeFromMs ?? 'nothing'}, though ${newest} was seen`)
  }
  const wait = books.waits.get(tag.uid)
  if (wait !== undefined && wait.term === term && after.reservedMs < wait.untilMs) {
    broke('backoff', `${key} begins again ${wait.untilMs - after.reservedMs} ms too soon`)
  }
}

/** It ended by itself, or was never up. */
function isOwnFailure({ why, exit }: Placement): boolean {
  // Work that ended by itself, nobody knows how, has no exit.
  const isOwn = exit === undefined ? why === 'exited' : exit.kind !== 'preempted' && exit.kind !== 'machine'
  return isOwn && (why === 'exited' || why === 'late')
}

function checkDeparture(step: Step, commit: Commit, checking: Checking): void {
  const { evidence, books } = checking
  const { after, workload: at } = step
  const workload = evidence.mirror.workloads.get(at)
  const before = evidence.mirror.statuses.get(at)
  const { uid } = after.order.tag
  if (workload === undefined || workload.uid !== uid || before === undefined || before.end !== undefined) return
  const status = statusIn(commit)?.value ?? before
  if (before.uid !== status.uid || before.generation !== status.generation) return
  const newestMs = Math.max(after.checkpointMs ?? 0, step.before?.checkpointMs ?? 0)
  if (after.why !== undefined && COUNTED.has(after.why) && newestMs > 0) raise(books.saved, groupKey(after), newestMs)
  checkLoss(step, { workload, lost: status.lostSeconds - before.lostSeconds }, checking)
  // How long a service was well is a difference of two clocks.
  const isOdd = evidence.witness.hasOddClocks && workload.manifest.kind === 'service'
  if (!isOwnFailure(after) || isOdd) return
  const wellMs = evidence.witness.nowMs() - (books.upMs.get(after.order.tag.attempt) ?? Number.POSITIVE_INFINITY)
  const counting = { kind: workload.manifest.kind, generation: status.generation, wellMs }
  const tally = counted(after, counting, books.tallies.get(uid))
  books.tallies.set(uid, tally)
  const isGivenUp = status.stalled?.groups.includes(groupOf(after.order.tag.slot)) === true
  if (status.end !== undefined || isGivenUp) return
  books.waits.set(uid, { term: commit.term, untilMs: status.backoffUntilMs })
  // What has served is started again at once, as often as there are replicas. How long it was up was written a moment later.
  const hasServed = counting.kind === 'service' && wellMs >= BACKOFF_MS
  const mayBeAtOnce = hasServed && tally.unforgiven <= groupsWanted(workload).size
  const usualMs = Math.min(BACKOFF_MOST_MS, BACKOFF_MS * 2 ** (Math.min(tally.unforgiven, 10) - 1)) / 2
  const waitMs = status.backoffUntilMs - after.sinceMs
  if (waitMs < (mayBeAtOnce ? 0 : usualMs))
    evidence.broke('backoff', `${step.key} failed and begins again after ${waitMs} ms`)
  if (tally.unforgiven > maxOf(workload)) {
    evidence.broke('restarts', `${step.key} has failed ${tally.unforgiven} times and is started again`)
  }
}

interface Counting {
  readonly kind: 'service' | 'job'
  readonly generation: number
  /** How long it was up. */
  readonly wellMs: number
}

/** Progress of a job is a newer checkpoint, and time is none; of a service, that it has served for a while. */
function counted({ checkpointMs = 0 }: Placement, { generation, kind, wellMs }: Counting, known?: Tally): Tally {
  const last = known?.generation === generation ? known : { generation, all: 0, unforgiven: 0, newestMs: 0 }
  const isForgiven = kind === 'job' ? checkpointMs > last.newestMs : wellMs > FORGIVEN_MS
  return {
    generation,
    all: last.all + 1,
    unforgiven: (isForgiven ? 0 : last.unforgiven) + 1,
    newestMs: Math.max(last.newestMs, checkpointMs),
  }
}

function maxOf({ manifest }: Workload): number {
  return manifest.restart.max ?? (manifest.kind === 'job' ? RESTARTS_MAX : Number.POSITIVE_INFINITY)
}

/** Nothing is given up before it has had all the starts that it was promised. */
function checkEnd({ key, value }: Written, { evidence, books }: Checking): void {
  const { mirror, broke } = evidence
  const before = mirror.statuses.get(key)
  const workload = mirror.workloads.get(key)
  const isNew = before?.end === undefined && value.end?.why.includes('restarts') === true
  if (!isNew || workload === undefined || workload.uid !== value.uid) return
  const failures = books.tallies.get(value.uid)?.all ?? 0
  if (evidence.witness.hasOddClocks && workload.manifest.kind === 'service') return
  if (failures <= maxOf(workload)) broke('restarts', `${key} was given up after ${failures} failures`)
}

/** Work since the last checkpoint that was seen, or since it was seen to be up: counted, and no more than that. */
function checkLoss(
  { key, after }: Step,
  { workload, lost }: { readonly workload: Workload; readonly lost: number },
  { evidence, books }: Checking,
): void {
  const { witness, broke } = evidence
  const sinceMs = books.upMs.get(after.order.tag.attempt)
  const isCounted = workload.manifest.kind === 'job' && after.why !== undefined && COUNTED.has(after.why)
  if (!isCounted || sinceMs === undefined || witness.hasOddClocks) return
  const expected = (witness.nowMs() - Math.max(sinceMs, after.checkpointMs ?? 0)) / SECOND_MS
  // Several machines of a gang leave in one commit; and what is written has been decided a while ago.
  if (lost < expected - 45) broke('lost', `${key} lost ${Math.round(expected)} s of work, and ${lost} s were counted`)
}

/** What a provider says of a job that runs is written down before long. */
function checkNews({ mirror, witness, startedBy, broke }: Evidence): void {
  const nowMs = witness.nowMs()
  for (const [key, { phase, order, checkpointMs, healthy }] of mirror.placements) {
    if (phase !== 'running') continue
    const instance = startedBy(order.tag.attempt)
    const readyMs = witness.readySinceMs(order.place.provider)
    if (instance === undefined || readyMs === undefined || instance.unreadable !== undefined) continue
    if (nowMs < Math.max(readyMs, instance.readableMs ?? 0) + NOTICED_MS) continue
    const { upMs, endsMs, checkpointSeconds = 0, sickMs } = instance
    const everyMs = checkpointSeconds * SECOND_MS
    const ranMs = Math.min(nowMs - NOTICED_MS, endsMs) - upMs
    const known = everyMs > 0 && ranMs >= everyMs ? upMs + Math.floor(ranMs / everyMs) * everyMs : 0
    if (known > (checkpointMs ?? 0))
      broke('resume', `${key}: a checkpoint of ${(nowMs - known) / 1000} s ago is unknown`)
    const isSick = sickMs !== undefined && sickMs < nowMs - NOTICED_MS && endsMs > nowMs
    if (isSick && healthy !== false) broke('I13', `${key} has been sick for minutes and is called well`)
  }
}
