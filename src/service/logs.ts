import { refuse } from '../core/base/refuse.ts'
import { isBilled, type Placement } from '../core/life/placement.ts'
import { howToReach } from '../core/life/view/reach.ts'
import { meantBy } from './meant-by.ts'
import { groupOf, slotOfSeat, slotsWanted } from '../core/life/slots.ts'
import { viewOf, type SummaryInput } from '../core/life/view/summary.ts'
import type { WorkloadState } from '../core/life/view/view.ts'
import type { Workload } from '../core/life/workload.ts'
import type { UserError } from '../core/base/problem.ts'
import type { EventEntry } from '../core/event/event.ts'
import type { At, LogsQuery, SlotLine } from '../ports/berth.ts'
import type { InstanceRef, LogLine, LogWant } from '../ports/provider.ts'
import { LATE, within } from '../ports/deadline.ts'
import { attemptsOf, latestOf } from './workload/attempts.ts'
import type { ServiceDeps } from './deps.ts'
import { feedOf } from './feed.ts'
import { Funnel } from './logs-funnel.ts'
import { knownOf } from './workload/known.ts'
import { mustGet } from './workload/views.ts'

/** A line, and the position of the stream after it, with which a client can resume. */
export interface LogEntry {
  readonly line: SlotLine
  /** Undefined: a line that follows at once has it. */
  readonly position: string | undefined
  /** The next entry is already available. */
  readonly more: boolean
}

export interface LogsAsk {
  readonly at: At
  readonly query: LogsQuery
  /** The position of the last line received; undefined: from the start, or the last `tail` lines. */
  readonly position: string | undefined
  readonly signal: AbortSignal
  readonly requestId: string
}

/** The most logs to read together: a position has a part for each. */
const LOGS_MAX = 64
/** With up to this many logs, every line has its own position; with more, positions would be longer than the lines. */
const FEW = 4
/** How soon at most the log of a slot's next attempt is looked for again, however much happens. */
const LOOK_MS = 1000
/** How late at most a change that makes no event is noticed. */
const QUIET_MS = 30_000

/**
 * The output of a workload's slots; with `follow` also what they and their next attempts print, until the signal or until
 * nothing more can come. A position covers what has been yielded, not what has been read, so that a client that resumes
 * with it misses nothing and gets nothing twice.
 */
export async function* followLogs(deps: ServiceDeps, ask: LogsAsk): AsyncGenerator<LogEntry> {
  const ends = new AbortController()
  const signal = AbortSignal.any([ask.signal, ends.signal])
  const funnel = new Funnel<Placed>()
  const reading = { ...ask, signal, given: new Map(parsePosition(ask.position)) }
  const open = new Set<string>()
  try {
    // Taken before the rows are read, so that no change falls in between.
    const followed = { ...(await placeInFeed(deps, ask)), waitMs: LOOK_MS }
    let sources: Sources | undefined = await sourcesOf(deps, ask)
    if (sources.logs.length > LOGS_MAX) throw tooMany(ask, sources.logs)
    if (
      sources.logs.length === 0 &&
      (sources.isUnknown === true || !ask.query.follow || ask.query.attempt !== undefined)
    )
      throw sources.missing
    // `tail` applies to logs that exist at the start. Later ones are read from their first line.
    for (let tail = ask.position === undefined ? ask.query.tail : undefined; !signal.aborted; tail = undefined) {
      for (const log of sources?.logs ?? []) {
        const { attempt } = log.ref.tag
        if (open.has(attempt) || funnel.open >= LOGS_MAX) continue
        open.add(attempt)
        funnel.add(readSlot(deps, log, { ...reading, tail }))
      }
      yield* untilLook(deps, funnel, { ...reading, followed, isOver: sources?.isOver ?? false })
      if (funnel.failure !== undefined) throw funnel.failure
      if (funnel.isDry && (!ask.query.follow || sources === undefined || sources.isOver)) return
      if (ask.query.follow) {
        const place = await placeInFeed(deps, ask).catch(() => undefined)
        sources = await sourcesOf(deps, ask).catch(() => undefined)
        if (sources !== undefined) Object.assign(followed, place)
      }
      if (sources !== undefined && reading.given.size > LOGS_MAX) forgetOld(reading.given, sources)
    }
  } finally {
    ends.abort()
  }
}

/** Where the feed and the store are now; nowhere, for one who does not follow. */
async function placeInFeed(deps: ServiceDeps, { query }: LogsAsk): Promise<Pick<Followed, 'seen' | 'head'>> {
  if (query.follow !== true) return { seen: 0, head: 0 }
  const feed = feedOf(deps)
  const seen = await feed.position()
  return { seen, head: feed.head }
}

/** Drops positions of attempts that are no longer read, because a workload that keeps restarting has ever more of them. */
function forgetOld(given: Map<string, Given>, { logs }: Sources): void {
  const known = new Set(logs.map(({ ref }) => ref.tag.attempt))
  for (const attempt of given.keys()) if (!known.has(attempt)) given.delete(attempt)
}

/** Yields entries until it is time to look for more sources, or until nothing more comes. */
async function* untilLook(
  deps: ServiceDeps,
  funnel: Funnel<Placed>,
  { signal, query, given, at, followed, isOver }: Reading & { readonly followed: Followed; readonly isOver: boolean },
): AsyncGenerator<LogEntry> {
  const look = { isDue: false }
  if (query.follow === true) {
    const nextLook = Promise.all([deps.timers.sleep(LOOK_MS, signal), changeOf(deps, { at, followed, signal })])
    void nextLook.then(() => {
      look.isDue = true
      funnel.nudge()
    })
  }
  while (!look.isDue && !signal.aborted) {
    const entries = funnel.take()
    for (const [index, { line, attempt, given: at }] of entries.entries()) {
      given.set(attempt, at)
      const more = index < entries.length - 1
      yield { line, position: more && given.size > FEW ? undefined : printPosition(given), more }
    }
    if (funnel.failure !== undefined || (funnel.isDry && (isOver || !query.follow))) return
    await funnel.news()
  }
}

/** What a follower of logs has seen of the feed. */
interface Followed {
  /** Position in the feed, and head of the store, before the rows were last read. */
  seen: number
  head: number
  /** How long to wait for a write that makes no event, such as the end of a stop. Longer the longer nothing happens. */
  waitMs: number
}

/** Resolves when something has happened to the workload, or may have: the store was written, and it is time to look. */
async function changeOf(
  deps: ServiceDeps,
  { at, followed, signal }: { readonly at: At; readonly followed: Followed; readonly signal: AbortSignal },
): Promise<void> {
  const feed = feedOf(deps)
  while (!signal.aborted) {
    const cut = new AbortController()
    const both = AbortSignal.any([signal, cut.signal])
    const ours = eventOf(deps, { at, seen: followed.seen, signal: both })
    const answer = await within({ timers: deps.timers, ms: followed.waitMs, signal: both }, ours)
    const hasHappened = answer !== LATE && answer
    cut.abort()
    followed.waitMs = hasHappened ? LOOK_MS : Math.min(2 * followed.waitMs, QUIET_MS)
    if (hasHappened || feed.head > followed.head) return
  }
}

/** Resolves with true when the feed has an event of the workload after a position, or may have had one. */
async function eventOf(
  deps: ServiceDeps,
  { at, seen, signal }: { readonly at: At; readonly seen: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const feed = feedOf(deps)
  const isOurs = ({ project, subject }: EventEntry): boolean =>
    project === at.project && subject === `workload/${at.name}`
  let seq = seen
  while (!signal.aborted) {
    const isRead = await feed.more(seq, signal).then(
      () => true,
      () => false,
    )
    const news = feed.after(seq)
    if (!isRead || news === undefined || news.entries.some(isOurs)) return true
    seq = news.seq
  }
  return false
}

interface Sources {
  readonly logs: readonly AttemptLog[]
  /** Whether no further logs can follow. */
  readonly isOver: boolean
  /** The error to throw when there are none. */
  readonly missing: UserError
  /** The workload has no slot with the requested name. */
  readonly isUnknown?: boolean
}

/** Where the log of one attempt is kept. */
interface AttemptLog {
  readonly provider: string
  readonly ref: InstanceRef
  /** Left out: the attempt has ended. */
  readonly placement?: Placement
}

/** The logs of the requested slots, or of their ended attempts. */
async function sourcesOf(deps: ServiceDeps, { at, query }: LogsAsk): Promise<Sources> {
  const { store } = deps
  const { body } = await mustGet(store, at)
  const known = await knownOf(store, at)
  const isAsked = (slot: string) => query.slot === undefined || query.slot === slot || query.slot === groupOf(slot)
  const placements = known.placements.filter(({ order: { tag } }) => isAsked(tag.slot) && tag.uid === body.uid)
  const meant = meantBy(query.slot, placements)
  const view = viewOf(body, known, 0)
  if (query.attempt !== undefined) {
    const past = await pastLogs(deps, { at, uid: body.uid, wanted: query.attempt, placements })
    return { logs: past.logs.filter(({ ref }) => isAsked(ref.tag.slot)), isOver: true, missing: past.missing }
  }
  const slots = query.slot === undefined || placements.length > 0 ? undefined : slotNames(body, known)
  if (slots !== undefined && !slots.some(isAsked))
    return { logs: [], isOver: true, isUnknown: true, missing: noSlot(at, query.slot, slots) }
  const logs = meant.filter(({ phase }) => phase !== 'reserved').map(logOf)
  return { logs, isOver: ENDS.has(view.state) && !known.placements.some(isBilled), missing: noLogs(at, view.problem) }
}

/** The slots that a workload has, and those that still hold something. */
function slotNames(workload: Workload, { placements }: SummaryInput): readonly string[] {
  const wanted = slotsWanted({ ...workload, want: 'running' }).map(({ slot }) => slot)
  const there = placements.filter(({ order: { tag } }) => tag.uid === workload.uid).map(({ order }) => order.tag.slot)
  return [...new Set([...wanted, ...there])]
}

function noSlot({ name }: At, slot: string | undefined, slots: readonly string[]): UserError {
  const rest = slots.length - NUMBERS_SHOWN
  const shown = `${slots.slice(0, NUMBERS_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  const hint = slots.length === 0 ? undefined : `Its slots: ${shown}.`
  return refuse('LOGS_MISSING', `${name} has no slot ${slot}.`, hint)
}

function logOf(placement: Placement): AttemptLog {
  const { order, instance } = placement
  const { tag, place } = order
  return { provider: place.provider, ref: { tag, instance }, placement }
}

interface Past {
  readonly at: At
  readonly uid: string
  readonly wanted: string
  readonly placements: readonly Placement[]
}

/** Logs of attempts by number, id or `previous`, as far as their providers still keep them. */
async function pastLogs(
  deps: ServiceDeps,
  { at, uid, wanted, placements }: Past,
): Promise<Pick<Sources, 'logs' | 'missing'>> {
  const attempts = (await attemptsOf(deps, at)).filter(({ id }) => id !== undefined)
  const last = latestOf(placements.map(({ order: { tag } }) => ({ slot: tag.slot, number: tag.epoch })))
  // A refused attempt never ran, so it has no log.
  const before = attempts.filter(({ slot, number, instance, up_ms: upMs }) => {
    return number < (last.get(slotOfSeat(slot)) ?? Infinity) && (instance !== undefined || upMs !== undefined)
  })
  const newest = latestOf(before)
  const chosen =
    wanted === 'previous'
      ? before.filter(({ slot, number }) => newest.get(slotOfSeat(slot)) === number)
      : attempts.filter(({ number, id }) => wanted === String(number) || wanted === id)
  const { owner } = deps.info()
  const logs = chosen.map(({ slot, number, id = '', provider, instance }) => {
    const tag = { owner, project: at.project, workload: at.name, uid, slot, epoch: number, attempt: id }
    return { provider, ref: { tag, instance } }
  })
  const numbers = [...new Set(attempts.map(({ number }) => number))].slice(-NUMBERS_SHOWN).join(', ')
  const message =
    wanted === 'previous' ? `${at.name} has no attempt before the latest one.` : `${at.name} has no attempt ${wanted}.`
  const hint = numbers === '' ? undefined : `Attempts: ${numbers}; berth get ${at.name} shows how they ended.`
  return { logs, missing: refuse('LOGS_MISSING', message, hint) }
}

const NUMBERS_SHOWN = 10

const ENDS: ReadonlySet<WorkloadState> = new Set<WorkloadState>(['done', 'failed', 'stopped', 'set-aside'])

/** How far the log of an attempt was yielded: the mark of its last line, or a line count if its provider has no marks. */
type Given = string | number

interface Placed {
  readonly line: LogEntry['line']
  readonly attempt: string
  readonly given: Given
}

/** `given`: by attempt. */
type Reading = LogsAsk & { readonly given: Map<string, Given> }

type SlotAsk = Reading & { readonly tail: number | undefined }

async function* readSlot(deps: ServiceDeps, log: AttemptLog, ask: SlotAsk): AsyncGenerator<Placed> {
  const { attempt, slot, epoch } = log.ref.tag
  const given = ask.given.get(attempt) ?? (ask.tail === 0 ? await lastMark(deps, log, ask) : undefined)
  if (typeof given === 'number' && given > 0) return yield* readCounted(deps, log, ask)
  if (given !== undefined) ask.given.set(attempt, given)
  const after = typeof given === 'string' ? given : undefined
  const tail = after === undefined ? ask.tail : undefined
  const want = { follow: ask.query.follow ?? false, tail, after, sinceMs: ask.query.since_ms }
  let count = 0
  for await (const { mark, ...line } of linesOf(deps, log, { ...ask, want })) {
    if (mark === undefined && want.tail !== undefined) return yield* readCounted(deps, log, ask)
    count++
    yield { line: { ...shown(line), slot, attempt: epoch }, attempt, given: mark ?? count }
    if (ask.signal.aborted) return
  }
}

/** The mark at the current end of a log, to read only what comes later. */
async function lastMark(deps: ServiceDeps, log: AttemptLog, ask: SlotAsk): Promise<string | undefined> {
  let mark: string | undefined
  for await (const line of linesOf(deps, log, { ...ask, want: { follow: false, tail: 1 } })) mark = line.mark
  return mark
}

/** The same for lines without marks, which are counted from the start of the log. */
async function* readCounted(deps: ServiceDeps, log: AttemptLog, ask: SlotAsk): AsyncGenerator<Placed> {
  const { attempt, slot, epoch } = log.ref.tag
  const from = await lastUnwanted(deps, log, ask)
  ask.given.set(attempt, from)
  let count = 0
  const want = { follow: ask.query.follow ?? false, tail: undefined }
  for await (const { mark, ...line } of linesOf(deps, log, { ...ask, want })) {
    count++
    if (count > from) yield { line: { ...shown(line), slot, attempt: epoch }, attempt, given: mark ?? count }
    if (ask.signal.aborted) return
  }
}

/**
 * The number of the last line to skip: already yielded, or before the last `tail`. A log that was trimmed meanwhile is
 * shorter than what was yielded of it. It then continues with new lines, instead of being silent until it is as long
 * again.
 */
async function lastUnwanted(deps: ServiceDeps, log: AttemptLog, ask: SlotAsk): Promise<number> {
  const { provider, ref } = log
  const given = ask.given.get(ref.tag.attempt)
  let count = 0
  const want = { follow: false, tail: undefined }
  for await (const _ of linesOf(deps, log, { ...ask, want })) count++
  if (typeof given !== 'number') return Math.max(0, count - (ask.tail ?? count))
  if (count < given) deps.log.warn('a log was trimmed', { provider, attempt: ref.tag.attempt })
  return Math.min(given, count)
}

function linesOf(
  { providers }: ServiceDeps,
  { provider, ref, placement }: AttemptLog,
  { want, signal, requestId }: { readonly want: LogWant; readonly signal: AbortSignal; readonly requestId: string },
): AsyncIterable<LogLine> {
  const lines = providers.logs({ provider, ref }, want, { signal, requestId })
  if (lines !== undefined) return want.sinceMs === undefined ? lines : linesSince(lines, want.sinceMs)
  const where = `${provider}, where slot ${ref.tag.slot} runs,`
  if (providers.views().some(({ name }) => name === provider)) {
    const why = providers.noLogs?.(provider)
    const said = why === undefined ? '' : ` Namely, ${why.why}`
    const instead = why?.instead.replaceAll('{instance}', ref.instance ?? 'of that name')
    throw refuse('LOGS_MISSING', `${where} keeps no logs that Berth can read.${said}`, instead)
  }
  const hint = `To reach it again, ${howToReach(provider, placement)}.`
  throw refuse('LOGS_MISSING', `${where} is not configured, so Berth cannot reach it.`, hint)
}

/** Filters by time, for providers that have timestamps but do not support `sinceMs`. */
async function* linesSince(lines: AsyncIterable<LogLine>, sinceMs: number): AsyncGenerator<LogLine> {
  for await (const line of lines) if (line.atMs === undefined || line.atMs >= sinceMs) yield line
}

function tooMany({ at: { name }, query }: LogsAsk, logs: readonly AttemptLog[]): UserError {
  const slots = logs.map(({ ref }) => ref.tag.slot)
  const what = query.slot === undefined ? name : `${query.slot} of ${name}`
  const message = `${what} has ${logs.length} logs, and at most ${LOGS_MAX} can be read together.`
  return refuse('LOGS_TOO_MANY', message, `Name a slot with --slot, for example ${slots.slice(0, 3).join(', ')}.`)
}

function noLogs({ name }: At, problem: string | undefined): UserError {
  const why = problem === undefined ? '' : ` ${problem}`
  const message = `No slot of ${name} has started, so there are no logs.${why}`
  return refuse('LOGS_MISSING', message, `See why: berth explain ${name}`)
}

/** `ATTEMPT=LINES` or `ATTEMPT=@MARK`, joined by commas. Parts of any other form are ignored. */
function parsePosition(text: string | undefined): readonly (readonly [string, Given])[] {
  const parts = text === undefined ? [] : text.split(',')
  return parts.flatMap((part) => {
    const [, attempt, lines, mark] = /^([a-z0-9]{1,32})=(?:(\d{1,12})|@([\w.:-]{1,64}))$/.exec(part) ?? []
    return attempt === undefined ? [] : [[attempt, mark ?? Number(lines)] as const]
  })
}

function printPosition(given: ReadonlyMap<string, Given>): string {
  return [...given].map(([attempt, at]) => `${attempt}=${typeof at === 'number' ? at : `@${at}`}`).join(',')
}

/** A line as the API tells it. */
function shown({ atMs, stream, text }: LogLine): Pick<SlotLine, 'at_ms' | 'stream' | 'text'> {
  return { ...(atMs !== undefined && { at_ms: atMs }), stream, text }
}
