import type { Random } from '../ports/random.ts'
import type { Terminal } from '../ports/terminal.ts'
import type { Timers } from '../ports/timers.ts'

/** What the composition root supplies. */
export interface GatewayDeps {
  readonly timers: Timers
  readonly random: Random
  readonly terminal: Terminal
  readonly env: (name: string) => string | undefined
}
