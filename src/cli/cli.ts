import type { Command } from 'commander'
import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { OfferSource } from '../ports/offer-source.ts'
import type { Solver } from '../ports/solver.ts'
import type { Terminal } from '../ports/terminal.ts'

/** The doors a command may use; main.ts opens them. */
export interface Cli {
  readonly files: Files
  readonly clock: Clock
  readonly terminal: Terminal
  readonly sources: readonly OfferSource[]
  /** Nothing of it is loaded before it is asked for. */
  readonly solver: () => Solver
  /** Folder of the examples that ship with Berth. */
  readonly examples: string
  /** Ends the process with this code once everything is printed. */
  readonly exit: (code: number) => void
}

/** A command adds itself to the program. One file, one line in registry.ts. */
export type Register = (program: Command, cli: Cli) => void

/** What a script can rely on. Documented in docs/cli.md and in `berth --help`. */
export const EXIT = {
  ok: 0,
  /** `diff` and `replay` found a difference. */
  differs: 1,
  /** The question was answered: nothing fits. */
  doesNotFit: 2,
  /** Manifest, infrastructure file or offers are invalid. */
  invalid: 3,
  /** The command line itself is wrong. */
  usage: 64,
  bug: 70,
} as const
