import type { EventEntry } from './event.ts'
import type { EventKind } from './kinds.ts'

/** One try to run a slot, derived from events. */
export interface AttemptView {
  readonly slot: string
  /** Counted from 1 within its slot. */
  readonly number: number
  /** Undefined: an older version placed it, and no provider took it. */
  readonly id?: string | undefined
  readonly provider: string
  readonly instance?: string | undefined
  readonly placed_ms: number
  readonly up_ms?: number | undefined
  /** Undefined: it has not ended, as far as is known. */
  readonly ended_ms?: number | undefined
  /** How it ended, in a few words: `exit code 1`, or a code such as SOLD_OUT. */
  readonly end?: string | undefined
}

/** The attempts that events describe, in the order in which they were placed. */
export function attemptsIn(events: readonly EventEntry[]): readonly AttemptView[] {
  // Attempts of an earlier workload of the same name are left out: they are numbered from 1, too.
  const first = events.findLastIndex(({ kind }) => kind === 'accepted')
  const attempts = new Map<string, AttemptView>()
  for (const event of events.slice(Math.max(0, first))) {
    const slot = textOf(event, 'slot')
    const number = event.facts['epoch']
    if (slot === undefined || typeof number !== 'number') continue
    const key = `${slot}/${number}`
    attempts.set(key, told(attempts.get(key) ?? fresh(event, slot, number), event))
  }
  return [...attempts.values()]
}

function fresh(event: EventEntry, slot: string, number: number): AttemptView {
  return {
    slot,
    number,
    id: undefined,
    provider: textOf(event, 'provider') ?? '?',
    instance: undefined,
    placed_ms: Math.round(event.atMs),
    up_ms: undefined,
    ended_ms: undefined,
    end: undefined,
  }
}

/** What an event adds to its attempt. */
function told(attempt: AttemptView, event: EventEntry): AttemptView {
  const atMs = Math.round(event.atMs)
  const known = { ...attempt, id: attempt.id ?? textOf(event, 'attempt') }
  if (event.kind === 'launched') return { ...known, instance: textOf(event, 'instance') }
  if (event.kind === 'up') return { ...known, up_ms: known.up_ms ?? atMs }
  if (!ENDS.has(event.kind)) return known
  const how = textOf(event, 'exit') ?? textOf(event, 'message') ?? textOf(event, 'class') ?? textOf(event, 'why')
  // A stop that has begun is over when that is proven. The reason for it was given at the beginning.
  return { ...known, ended_ms: atMs, end: known.end ?? how }
}

const ENDS: ReadonlySet<string> = new Set<EventKind>([
  'refused',
  'ended',
  'died',
  'preempted',
  'stopping',
  'stopped',
  'drained',
  'replaced',
])

function textOf({ facts }: EventEntry, name: string): string | undefined {
  const value = Object.hasOwn(facts, name) ? facts[name] : undefined
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
