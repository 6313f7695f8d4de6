import type { Format } from './format.ts'
import type { Command } from 'commander'
import type { Berth } from '../ports/berth.ts'
import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { OfferSource } from '../ports/offer-source.ts'
import type { Random } from '../ports/random.ts'
import type { Secret } from '../ports/secret.ts'
import type { Solver } from '../ports/solver.ts'
import type { Terminal } from '../ports/terminal.ts'
import type { Timers } from '../ports/timers.ts'

/** What a command may use of the world outside; main.ts provides it. */
export interface Cli extends Outside {
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

/** What commands use that talk to a control plane. Where it is left out, `OFFLINE` stands in. */
export interface Outside {
  /** The control plane at this address. Nothing is called, and nothing loaded, before it is asked something. */
  readonly berth: (target: Target) => Berth
  /** A variable of the environment; undefined: not set. */
  readonly env: (name: string) => string | undefined
  /**
   * Shows a question on the terminal and answers what was typed.
   * The door itself is undefined where nobody can be asked: input or output is not a terminal.
   */
  readonly prompt: ((question: string) => Promise<Typed>) | undefined
  /** Aborted by Ctrl-C. From the first time it is asked for, Ctrl-C no longer ends the process by itself. */
  readonly interrupt: () => AbortSignal
  readonly timers: Timers
  /** Creates or replaces a file that only this user can read. False: it could not be written. */
  readonly saveSecret: (path: string, bytes: Uint8Array) => boolean
  /** Calls again and again, until what it answers is called. Keeps no process alive. */
  readonly every: (ms: number, act: () => void) => () => void
  readonly random: Random
  /** Runs a control plane in this process until it is told to stop; answers the exit code. */
  readonly up: (flags: UpFlags) => Promise<number>
}

/** What came of a question: a line without its end, the end of the input, or Ctrl-C. */
export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'interrupted' }

/** Where a control plane listens, and what opens it. */
export interface Target {
  readonly url: string
  /** Undefined: it is asked without one, which only a control plane in development mode answers. */
  readonly token: Secret | undefined
  /** Certificates, in PEM, that are trusted instead of those of the system. */
  readonly ca?: string
  /** The first of `ca` is the control plane's own, and no other is accepted. */
  readonly isOwn?: boolean
  /** How long one try may take, and how many there are; left out: as long as the client thinks right. */
  readonly timeoutMs?: number
  readonly tries?: number
  /** The context that it comes from; left out: from flags, the environment or this machine. */
  readonly context?: string
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
  /** Understood, but not as asked in the end: it failed, the time ran out, a check failed, or the answer was no. */
  notDone: 4,
  /** There is no object of this name. */
  notFound: 5,
  /** The token may not do this. */
  forbidden: 6,
  /** No token, or none that counts. */
  unauthenticated: 7,
  /** It asks first, nobody can be asked, and `--yes` was not given. */
  unconfirmed: 8,
  /** The command line itself is wrong. */
  usage: 64,
  /** The control plane cannot be reached. */
  unreachable: 69,
  bug: 70,
  /** Ctrl-C; what runs goes on running. */
  interrupted: 130,
} as const

export interface UpFlags {
  readonly data?: string
  readonly database?: string
  readonly config?: string
  readonly listen: string
  readonly vaultKey?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly insecureListen?: boolean
  readonly host?: readonly string[]
  readonly dev?: boolean
  readonly newStore?: boolean
  readonly log: 'json' | 'text'
  readonly output?: Format
}
