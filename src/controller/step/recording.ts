import type { Begin, StepEvent, StepResult } from './event.ts'

/** The first line of a recording says that it is one, and in which form. */
export const RECORDING = 'berth.recording/v1'

/** What a step said is to be done; `threw`: it could not say, because of a bug. */
export type Did = Pick<StepResult, 'commits' | 'calls' | 'asks' | 'logs'> & { readonly threw?: string }

/** One line of a recording. */
export type RecordedLine =
  | { readonly kind: 'head'; readonly version: string }
  /** A term begins, with nothing known of earlier ones. */
  | { readonly kind: 'begin'; readonly begin: Begin }
  | { readonly kind: 'step'; readonly event: StepEvent; readonly did: Did }
  /** The recording was as long as it may be. */
  | { readonly kind: 'full' }

export function headLine(version: string): string {
  return JSON.stringify({ recording: RECORDING, version })
}

export function beginLine(begin: Begin): string {
  return JSON.stringify({ begin })
}

export const FULL_LINE = JSON.stringify({ full: true })

/** An event and what followed from it. What is empty is left out: most events have no consequences. */
export function stepLine(event: StepEvent, did: Did): string {
  const kept = Object.fromEntries(Object.entries(did).filter(([key, value]) => IN_DID.has(key) && value.length > 0))
  const line = { event, ...(Object.keys(kept).length > 0 && { did: kept }) }
  // Only what a provider can do may be without limit; JSON has no word for that.
  return event.kind === 'platform' ? JSON.stringify(line, withInfinity) : JSON.stringify(line)
}

const IN_DID = new Set(['commits', 'calls', 'asks', 'logs', 'threw'])
const INFINITE = 'berth:infinite'

function withInfinity(_: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? INFINITE : value
}

/** Reads one line; undefined: it is not a line of a recording. */
export function readLine(text: string): RecordedLine | undefined {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) return undefined
  // Recordings are written by Berth itself. A line with the right key is taken at its word, and a step that fails says so.
  const line = value as Partial<Record<'recording' | 'version' | 'begin' | 'event' | 'did' | 'full', unknown>>
  if (line.recording === RECORDING) return { kind: 'head', version: String(line.version) }
  if (line.full === true) return { kind: 'full' }
  // Proven as above.
  if (isObject(line.begin)) return { kind: 'begin', begin: line.begin as unknown as Begin }
  // Proven as above.
  const did = { ...NOTHING_DONE, ...(isObject(line.did) ? line.did : {}) } as unknown as Did
  // Proven as above.
  return isObject(line.event) ? { kind: 'step', event: line.event as unknown as StepEvent, did } : undefined
}

const NOTHING_DONE = { commits: [], calls: [], asks: [], logs: [] }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, text.includes(INFINITE) ? fromInfinity : undefined)
  } catch {
    return undefined
  }
}

function fromInfinity(_: string, value: unknown): unknown {
  return value === INFINITE ? Number.POSITIVE_INFINITY : value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
