import type { Config } from '../core/policy/policy.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Provider } from '../ports/provider.ts'
import type { Random } from '../ports/random.ts'
import type { Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'
import type { Pressure } from './pressure.ts'

/** Everything that the controller may use. It has no other access to the world. */
export interface ControllerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
  readonly vault: Vault
  /** The current providers, and what the platform says about them; may change between calls. */
  readonly platform: () => ControllerPlatform
  /** Uid of this installation: in every tag, and the same for all control planes of one store. */
  readonly owner: string
  /** Name of this process in the lease; never used twice. */
  readonly holder: string
  /** Whether the process that led under this name is certainly dead, for ever. Left out: it cannot be told. */
  readonly isDead?: (holder: string) => boolean
  /** The requests that this process answers besides leading; left out: none. */
  readonly pressure?: Pressure
  /** Gets every event of a leader and what followed from it, as lines of a recording; left out: nothing is recorded. */
  readonly record?: (line: string) => void
  /** Removes known secret values from what a provider says; left out: providers have done so. */
  readonly scrub?: (text: string) => string
  /** Called with the time that each decision took, for measurements. */
  readonly decided?: (tookMs: number) => void
  /** Called at the beginning of each turn with how long there was something to do before it, for measurements. */
  readonly turned?: (lateMs: number) => void
}

export interface ControllerPlatform {
  readonly providers: ReadonlyMap<string, PlatformProvider>
  readonly config: Config | undefined
  /** Every caller is an administrator of all projects. So running programs as Berth's own user gives no caller more rights. */
  readonly isAlone?: boolean
}

export interface PlatformProvider {
  readonly provider: Provider
  readonly state: 'open' | 'cordoned' | 'draining' | 'removing'
}
