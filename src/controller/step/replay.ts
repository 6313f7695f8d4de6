import type { StepEvent } from './event.ts'
import { readLine, type Did } from './recording.ts'
import { newState, type ControllerState } from './state.ts'
import { step } from './step.ts'

/** What came of one line of a recording. */
export type ReplayedLine =
  | { readonly kind: 'head'; readonly line: number; readonly version: string }
  | { readonly kind: 'begin'; readonly line: number; readonly term: number }
  | ReplayedStep
  | { readonly kind: 'full'; readonly line: number }
  /** It cannot be read, or stands before any term. */
  | { readonly kind: 'unreadable'; readonly line: number }

export interface ReplayedStep {
  readonly kind: 'step'
  readonly line: number
  readonly event: StepEvent
  /** What follows from the event now, and what followed when it was recorded. */
  readonly did: Did
  readonly recorded: Did
  readonly isSame: boolean
}

/** Takes every step of a recording again, and compares what follows. Lines are counted from 1. */
export function* replayed(lines: Iterable<string>): Generator<ReplayedLine> {
  let state: ControllerState | undefined
  let line = 0
  for (const text of lines) {
    line++
    if (text === '') continue
    const read = readLine(text)
    if (read === undefined || (read.kind === 'step' && state === undefined)) yield { kind: 'unreadable', line }
    else if (read.kind === 'begin') {
      state = newState(read.begin)
      yield { kind: 'begin', line, term: read.begin.term }
    } else if (read.kind !== 'step') yield { ...read, line }
    else if (state !== undefined) {
      const { event, did: recorded } = read
      const did = didOf(state, event)
      yield { kind: 'step', line, event, did, recorded, isSame: isSame(did, recorded) }
    }
  }
}

function didOf(state: ControllerState, event: StepEvent): Did {
  try {
    const { commits, calls, asks, logs } = step(state, event)
    return { commits, calls, asks, logs }
  } catch (error) {
    return threw(error)
  }
}

/** What is recorded of a step that could not be taken. */
export function threw(error: unknown): Did {
  const text = error instanceof Error ? error.message : String(error)
  return { commits: [], calls: [], asks: [], logs: [], threw: text === '' ? 'an error' : text }
}

/** As data: keys without a value and the order of keys do not count. */
function isSame(one: Did, two: Did): boolean {
  const partsOf = ({ commits, calls, asks, logs, threw: why }: Did): unknown => [commits, calls, asks, logs, why]
  if (JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(two))) return true
  return JSON.stringify(partsOf(one), inOrder) === JSON.stringify(partsOf(two), inOrder)
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([before], [after]) => (before < after ? -1 : 1)))
}
