import type { LogLine, LogWant } from '../../../ports/provider.ts'

/** Turns lines with their times into lines with marks. Several lines may have the same time, so a mark counts them. */
export class LogReader {
  #time = ''
  #count = 0
  #after: { readonly time: string; readonly count: number } | undefined

  /** `after`: what comes up to this mark is left out. */
  constructor(after: string | undefined) {
    this.#after = markOf(after)
  }

  /** The mark of the last line that was read. */
  get mark(): string | undefined {
    return this.#time === '' ? undefined : `${this.#time}_${this.#count}`
  }

  /** The log is read again from about here: lines up to the last one come a second time. */
  resume(): void {
    this.#after = markOf(this.mark)
    this.#time = ''
    this.#count = 0
  }

  /** Undefined: it came before. */
  read(line: string): LogLine | undefined {
    const match = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) ?(.*)$/s.exec(line)
    // A line without a time is a part of the one before, or a word of the API server.
    if (match === null) return this.#after === undefined ? { atMs: undefined, stream: 'out', text: line } : undefined
    const [, time = '', text = ''] = match
    this.#count = time === this.#time ? this.#count + 1 : 0
    this.#time = time
    if (this.#isBefore(time)) return undefined
    this.#after = undefined
    return { atMs: Math.floor(Date.parse(time)), stream: 'out', text, ...(this.mark && { mark: this.mark }) }
  }

  #isBefore(time: string): boolean {
    const after = this.#after
    if (after === undefined) return false
    const order = compared(time, after.time)
    return order < 0 || (order === 0 && this.#count <= after.count)
  }
}

/** Times of one cluster in the same form; their fractions have different lengths. */
function compared(one: string, two: string): number {
  const [first, second] = [padded(one), padded(two)]
  return first < second ? -1 : first > second ? 1 : 0
}

function padded(time: string): string {
  const [whole = '', fraction = ''] = time.replace(/Z$/, '').split('.')
  return `${whole}.${fraction.padEnd(9, '0')}`
}

function markOf(text: string | undefined): { readonly time: string; readonly count: number } | undefined {
  const match = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_(\d{1,6})$/.exec(text ?? '')
  return match === null ? undefined : { time: match[1] ?? '', count: Number(match[2]) }
}

/** What to ask the API server for. Its times have whole seconds, so that a little too much comes. */
export function logQuery(want: LogWant): Readonly<Record<string, string | number | boolean | undefined>> {
  const after = markOf(want.after)
  const sinceMs = after === undefined ? want.sinceMs : Date.parse(after.time)
  return {
    timestamps: true,
    follow: want.follow || undefined,
    tailLines: want.after === undefined ? want.tail : undefined,
    sinceTime:
      sinceMs === undefined
        ? undefined
        : new Date(Math.floor(sinceMs / 1000) * 1000).toISOString().replace('.000Z', 'Z'),
  }
}
