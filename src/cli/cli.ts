import type { Format } from './format.ts'
import type { Command } from 'commander'
import type { Berth } from '../ports/berth.ts'
import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { Here } from '../ports/here.ts'
import type { OfferSource } from '../ports/offer-source.ts'
import type { Random } from '../ports/random.ts'
import type { Secret } from '../ports/secret.ts'
import type { Solver } from '../ports/solver.ts'
import type { Terminal } from '../ports/terminal.ts'
import type { Timers } from '../ports/timers.ts'

/** Everything a command may use of the world outside; main.ts supplies it. */
export interface Cli extends Outside {
  readonly files: Files
  readonly clock: Clock
  readonly terminal: Terminal
  readonly sources: readonly OfferSource[]
  /** Loaded on the first call, not before. */
  readonly solver: () => Solver
  /** The folder of the examples that ship with Berth. */
  readonly examples: string
  /** Ends the process with this code once everything is printed. */
  readonly exit: (code: number) => void
}

/** What commands that talk to a control plane use. A command line built without these gets `OFFLINE`. */
export interface Outside {
  /** A client of the control plane at this address. Nothing is loaded or called before its first request. */
  readonly berth: (target: Target) => Berth
  /** An environment variable; undefined: not set. */
  readonly env: (name: string) => string | undefined
  /**
   * Shows a question on the terminal and returns what the user typed.
   * Undefined where the user cannot be asked: input or output is not a terminal.
   */
  readonly prompt: ((question: string) => Promise<Typed>) | undefined
  /** Aborted by Ctrl-C. After the first call, Ctrl-C no longer ends the process by itself. */
  readonly interrupt: () => AbortSignal
  readonly timers: Timers
  /** Creates or replaces a file that only this user can read. Returns false when it could not be written. */
  readonly saveSecret: (path: string, bytes: Uint8Array) => boolean
  /** Calls `act` at this interval until the returned function is called. Does not keep the process alive. */
  readonly every: (ms: number, act: () => void) => () => void
  readonly random: Random
  readonly here: Here
  /** Runs a control plane in this process until it is told to stop; returns the exit code. */
  readonly up: (flags: UpFlags) => Promise<number>
  /** Runs a gateway in this process until it is told to stop, or asks those that run; returns the exit code. */
  readonly gateway: (asked: GatewayAsk) => Promise<number>
}

/** The answer to a prompt: a line without its newline, the end of the input, or Ctrl-C. */
export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'interrupted' }

/** Where a control plane listens, and the credentials for it. */
export interface Target {
  readonly url: string
  /** Undefined: requests carry no token, which only a control plane in development mode accepts. */
  readonly token: Secret | undefined
  /** Certificates, in PEM, to trust instead of the system's. */
  readonly ca?: string
  /** The first certificate of `ca` is the control plane's own, and no other is accepted. */
  readonly isOwn?: boolean
  /** How long one try may take, and how many tries to make; left out: the client's defaults. */
  readonly timeoutMs?: number
  readonly tries?: number
  /** The context it comes from; left out: it comes from flags, the environment or this machine. */
  readonly context?: string
}

/** A command adds itself to the program. One file, one line in registry.ts. */
export type Register = (program: Command, cli: Cli) => void

/** Exit codes that scripts can rely on. Documented in docs/cli.md and in `berth --help`. */
export const EXIT = {
  ok: 0,
  /** `diff`, `replay` and `debug replay` found a difference. */
  differs: 1,
  /** The command worked, and the answer is that nothing fits. */
  doesNotFit: 2,
  /** Manifest, infrastructure file or offers are invalid. */
  invalid: 3,
  /** The request was understood but not fulfilled: it failed, it timed out, a check failed, or the user said no. */
  notDone: 4,
  /** There is no object of this name. */
  notFound: 5,
  /** The token may not do this. */
  forbidden: 6,
  /** No token, or one that is not valid. */
  unauthenticated: 7,
  /** The command asks first, there is no terminal to ask on, and `--yes` was not given. */
  unconfirmed: 8,
  /** The command line itself is wrong. */
  usage: 64,
  /** The control plane cannot be reached. */
  unreachable: 69,
  bug: 70,
  /** Ctrl-C; workloads keep running. */
  interrupted: 130,
} as const

/** What is wanted of a gateway. */
export type GatewayAsk =
  | { readonly ask: 'run'; readonly flags: GatewayFlags; readonly berth: () => Berth }
  | { readonly ask: 'haproxy'; readonly flags: HaproxyFlags; readonly berth: () => Berth }
  | { readonly ask: 'status' | 'stop'; readonly flags: Pick<GatewayFlags, 'data' | 'output'> }

export interface HaproxyFlags extends Pick<GatewayFlags, 'listen' | 'log'> {
  readonly folder: string
  /** How many services, and how many replicas of each, HAProxy has room for. */
  readonly services: number
  readonly replicas: number
}

export interface GatewayFlags {
  readonly listen: string
  readonly data?: string
  readonly metrics?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly sharePort?: boolean
  readonly log: 'json' | 'text'
  /** The process that hands its socket over. */
  readonly predecessor?: string
  readonly output?: Format
}

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
  readonly record?: string
  readonly gateway?: string
  readonly gatewayUrl?: string
  readonly gatewayTlsCert?: string
  readonly gatewayTlsKey?: string
  readonly gatewayMetrics?: string
  readonly log: 'json' | 'text'
  readonly output?: Format
}
