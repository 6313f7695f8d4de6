import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Cli } from '../cli.ts'
import { width } from './table.ts'
import { perHour } from '../words/words.ts'
import { nextLook, rollingText, slotPlace, slotState, waitingText } from '../words/keep.ts'
import { plain } from '../../core/base/words.ts'

/** One line of the view: a stable key, the text, and a clock that keeps changing. */
export interface LiveLine {
  readonly key: string
  readonly text: string
  /** Shown only on a terminal, where the line is redrawn: `0:41`. */
  readonly clock: string
}

/** Shows how work starts: redrawn in place on a terminal, one line per change in a pipe. */
export class LiveView {
  readonly #cli: Cli
  /** How many lines on the terminal the next drawing replaces. */
  #drawn = 0
  readonly #said = new Map<string, string>()

  constructor(cli: Cli) {
    this.#cli = cli
  }

  show(lines: readonly LiveLine[]): void {
    const { columns } = this.#cli.terminal
    if (columns === undefined) this.#say(lines)
    else this.#draw(lines, columns)
  }

  /** Prints a sentence that stays above the next drawing. */
  note(text: string): void {
    this.#drawn = 0
    this.#cli.terminal.out(`${text}\n`)
  }

  #say(lines: readonly LiveLine[]): void {
    for (const { key, text } of lines) {
      if (this.#said.get(key) === text) continue
      this.#said.set(key, text)
      this.#cli.terminal.out(`  ${text}\n`)
    }
  }

  #draw(lines: readonly LiveLine[], columns: number): void {
    const shown = lines.slice(0, LINES_MAX)
    const rest = lines.length - shown.length
    const texts = [
      ...shown.map(({ text, clock }) => fitted(`  ${text}`, clock, columns)),
      ...(rest === 0 ? [] : [`  and ${rest} more`]),
    ]
    // Moves to the start of the last drawing and erases it.
    const back = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\u001b[J`
    this.#cli.terminal.out(`${back}${texts.map((text) => `${text}\n`).join('')}`)
    this.#drawn = texts.length
  }
}

/** Lines beyond the height of a small terminal could not be redrawn. */
const LINES_MAX = 16

/** Cuts a line to the width of the terminal, because a line that wraps could not be redrawn. */
function fitted(text: string, clock: string, columns: number): string {
  const room = Math.max(8, columns - 1 - (clock === '' ? 0 : clock.length + 2))
  const letters = [...text]
  const cut = width(text) <= room ? text : `${letters.slice(0, room - 1).join('')}…`
  return clock === '' ? cut : `${cut.padEnd(Math.min(room, COLUMN))}  ${clock}`
}

const COLUMN = 66

/** The lines for some workloads: one per slot, and one for what has no place. */
export function liveLines(views: readonly WorkloadView[], nowMs: number): readonly LiveLine[] {
  return views.flatMap((view) => {
    const name = views.length === 1 ? '' : `${view.name}  `
    const slots = view.slots.map((slot): LiveLine => {
      const price = slot.usd_per_hour > 0 ? `, ${perHour(slot.usd_per_hour)}` : ''
      const text = `${name}${slot.slot}  ${slotPlace(slot)}  ${slotState(slot, nowMs)}${price}`
      const clock = slot.phase === 'gone' ? '' : minutes(nowMs - slot.since_ms)
      return { key: `${view.name}/${slot.slot}`, text, clock }
    })
    const rolling = rollingText(view)
    if (rolling !== undefined) slots.push({ key: `${view.name}/rolling`, text: `${name}-  ${rolling}`, clock: '' })
    const { waiting, problem } = view
    if (waiting !== undefined) {
      const clock = nextLook(waiting, nowMs)
      return [...slots, { key: `${view.name}/`, text: `${name}-  waiting: ${waitingText(view)}`, clock }]
    }
    return problem === undefined
      ? slots
      : [...slots, { key: `${view.name}/`, text: `${name}-  ${plain(problem)}`, clock: '' }]
  })
}

/** `0:41`, `12:05`. */
function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
