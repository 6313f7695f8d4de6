import type { Cli } from './cli.ts'

/** Says what is being waited for, once it takes longer than a second and somebody is watching. */
export class Progress {
  readonly #cli: Pick<Cli, 'clock' | 'terminal'>
  readonly #startMs: number
  #shown = 0

  constructor(cli: Pick<Cli, 'clock' | 'terminal'>) {
    this.#cli = cli
    this.#startMs = cli.clock.tickMs()
  }

  show(text: string): void {
    const { columns, err } = this.#cli.terminal
    if (columns === undefined || this.#cli.clock.tickMs() - this.#startMs < PATIENCE_MS) return
    const line = text.slice(0, Math.max(0, columns - 1))
    err(`\r${line.padEnd(this.#shown)}`)
    this.#shown = line.length
  }

  /** Leaves the line as if nothing had been there. */
  clear(): void {
    if (this.#shown > 0) this.#cli.terminal.err(`\r${' '.repeat(this.#shown)}\r`)
    this.#shown = 0
  }
}

const PATIENCE_MS = 1000
