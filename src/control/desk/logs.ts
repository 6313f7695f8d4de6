import { refuse } from '../../core/api/refuse.ts'
import { isBilled, type Placement } from '../../core/keep/placement.ts'
import { groupOf } from '../../core/keep/slots.ts'
import { viewOf } from '../../core/keep/summary.ts'
import type { WorkloadState } from '../../core/keep/view.ts'
import type { At, LogsQuery } from '../../ports/berth.ts'
import type { LogLine, LogWant } from '../../ports/provider.ts'
import type { DeskDoors } from './doors.ts'
import { Funnel } from './logs-funnel.ts'
import { knownOf, mustGet } from './views.ts'

/** A line, and how far its stream has come with it: give it back to go on from there. */
export interface LogEntry {
  readonly line: LogLine & { readonly slot: string }
  readonly position: string
}

export interface LogsAsk {
  readonly at: At
  readonly query: LogsQuery
  /** Position of the last line that was seen; undefined: from the start, or the last `tail` lines. */
  readonly position: string | undefined
  readonly signal: AbortSignal
  readonly requestId: string
}

/** How soon the log of a slot's next attempt is taken up. */
const LOOK_MS = 1000

/**
 * What the slots of a workload printed; with `follow` also what they and their successors will print, until the signal
 * or until nothing more can come. A position says what has been given, not what has been read: whoever comes back with
 * it misses nothing and sees nothing twice.
 */
export async function* followLogs(doors: DeskDoors, ask: LogsAsk): AsyncGenerator<LogEntry> {
  const ends = new AbortController()
  const signal = AbortSignal.any([ask.signal, ends.signal])
  const funnel = new Funnel<Placed>()
  const reading = { ...ask, signal, given: new Map(parsePosition(ask.position)) }
  const open = new Set<string>()
  try {
    let sources: Sources | undefined = await sourcesOf(doors, ask)
    if (sources.placements.length === 0 && !ask.query.follow) throw noLogs(ask.at)
    // The last so many are of what was there when it was asked for. What starts later is wanted from its first line on.
    for (let tail = ask.position === undefined ? ask.query.tail : undefined; !signal.aborted; tail = undefined) {
      for (const placement of sources?.placements ?? []) {
        const { attempt } = placement.order.tag
        if (!open.has(attempt)) funnel.add(readSlot(doors, placement, { ...reading, tail }))
        open.add(attempt)
      }
      yield* untilLook(doors, funnel, reading)
      if (funnel.failure !== undefined) throw funnel.failure
      if (funnel.isDry && (!ask.query.follow || sources === undefined || sources.isOver)) return
      if (ask.query.follow) sources = await sourcesOf(doors, ask).catch(() => undefined)
    }
  } finally {
    ends.abort()
  }
}

/** Gives what comes in until it is time to look for more sources, or until nothing more comes. */
async function* untilLook(
  { timers }: DeskDoors,
  funnel: Funnel<Placed>,
  { signal, query, given }: Reading,
): AsyncGenerator<LogEntry> {
  const time = new AbortController()
  const look = timers.sleep(LOOK_MS, signal).then(() => time.abort())
  while (!time.signal.aborted && !signal.aborted) {
    for (const { line, attempt, given: at } of funnel.take()) {
      given.set(attempt, at)
      yield { line, position: printPosition(given) }
    }
    if (funnel.failure !== undefined || (funnel.isDry && !query.follow)) return
    await Promise.race([funnel.news(), look])
  }
}

interface Sources {
  readonly placements: readonly Placement[]
  /** Whether none will follow them. */
  readonly isOver: boolean
}

/** The slots whose logs are asked for. */
async function sourcesOf({ store }: DeskDoors, { at, query }: LogsAsk): Promise<Sources> {
  const { body } = await mustGet(store, at)
  const known = await knownOf(store, at)
  const placements = known.placements.filter(({ phase, order: { tag } }) => {
    const isAsked = query.slot === undefined || query.slot === tag.slot || query.slot === groupOf(tag.slot)
    return isAsked && tag.uid === body.uid && phase !== 'reserved'
  })
  const { state } = viewOf(body, known)
  return { placements, isOver: ENDS.has(state) && !known.placements.some(isBilled) }
}

const ENDS: ReadonlySet<WorkloadState> = new Set<WorkloadState>(['done', 'failed', 'stopped', 'set-aside'])

/** How far the log of an attempt was given: the mark of its last line, or how many lines where its provider has no marks. */
type Given = string | number

interface Placed {
  readonly line: LogEntry['line']
  readonly attempt: string
  readonly given: Given
}

/** `given`: by attempt. */
type Reading = LogsAsk & { readonly given: Map<string, Given> }

type SlotAsk = Reading & { readonly tail: number | undefined }

async function* readSlot(doors: DeskDoors, placement: Placement, ask: SlotAsk): AsyncGenerator<Placed> {
  const { attempt, slot } = placement.order.tag
  const given = ask.given.get(attempt) ?? (ask.tail === 0 ? await lastMark(doors, placement, ask) : undefined)
  if (typeof given === 'number' && given > 0) return yield* readCounted(doors, placement, ask)
  if (given !== undefined) ask.given.set(attempt, given)
  const after = typeof given === 'string' ? given : undefined
  const want = { follow: ask.query.follow, tail: after === undefined ? ask.tail : undefined, after }
  let count = 0
  for await (const { mark, ...line } of linesOf(doors, placement, { ...ask, want })) {
    if (mark === undefined && want.tail !== undefined) return yield* readCounted(doors, placement, ask)
    count++
    yield { line: { ...line, slot }, attempt, given: mark ?? count }
    if (ask.signal.aborted) return
  }
}

/** Where a log ends now: what comes later is wanted. */
async function lastMark(doors: DeskDoors, placement: Placement, ask: SlotAsk): Promise<string | undefined> {
  let mark: string | undefined
  for await (const line of linesOf(doors, placement, { ...ask, want: { follow: false, tail: 1 } })) mark = line.mark
  return mark
}

/** The same where lines have no marks: they are counted from the start of the log. */
async function* readCounted(doors: DeskDoors, placement: Placement, ask: SlotAsk): AsyncGenerator<Placed> {
  const { attempt, slot } = placement.order.tag
  const from = await lastUnwanted(doors, placement, ask)
  ask.given.set(attempt, from)
  let count = 0
  const want = { follow: ask.query.follow, tail: undefined }
  for await (const { mark, ...line } of linesOf(doors, placement, { ...ask, want })) {
    count++
    if (count > from) yield { line: { ...line, slot }, attempt, given: mark ?? count }
    if (ask.signal.aborted) return
  }
}

/**
 * The number of the last line that is not wanted: given before, or before the last `tail`. A log that was trimmed meanwhile
 * is shorter than what was given of it: then it goes on with what comes from now on, instead of being silent until it is as
 * long again.
 */
async function lastUnwanted(doors: DeskDoors, placement: Placement, ask: SlotAsk): Promise<number> {
  const { tag, place } = placement.order
  const given = ask.given.get(tag.attempt)
  let count = 0
  const want = { follow: false, tail: undefined }
  for await (const _ of linesOf(doors, placement, { ...ask, want })) count++
  if (typeof given !== 'number') return Math.max(0, count - (ask.tail ?? count))
  if (count < given) doors.log.warn('a log was trimmed', { provider: place.provider, attempt: tag.attempt })
  return Math.min(given, count)
}

function linesOf(
  { providers }: DeskDoors,
  { order: { tag, place }, instance }: Placement,
  { want, signal, requestId }: { readonly want: LogWant; readonly signal: AbortSignal; readonly requestId: string },
): AsyncIterable<LogLine> {
  const source = { provider: place.provider, ref: { tag, instance } }
  const lines = providers.logs(source, want, { signal, requestId })
  if (lines !== undefined) return lines
  throw refuse('LOGS_MISSING', `${place.provider}, where slot ${tag.slot} is, keeps no logs that Berth can read.`)
}

function noLogs({ name }: At) {
  return refuse(
    'LOGS_MISSING',
    `No slot of ${name} has started, so nothing was printed.`,
    `Look at: berth events ${name}`,
  )
}

/** `ATTEMPT=LINES` or `ATTEMPT=@MARK`, joined by commas. Whatever is not of that form counts for nothing. */
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
