import type { Config } from '../core/policy/policy.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Provider } from '../ports/provider.ts'
import type { Random } from '../ports/random.ts'
import type { Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'
import type { Pressure } from './pressure.ts'

/** Everything the controller may touch. Nothing else reaches the world from it. */
export interface ControllerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly log: Log
  readonly vault: Vault
  /** The providers that there are now, and what the platform says of them; may change from one look to the next. */
  readonly platform: () => ControllerPlatform
  /** Uid of this installation: in every tag, and the same for all control planes of one store. */
  readonly owner: string
  /** Name of this process in the lease; never used twice. */
  readonly holder: string
  /** Whether the process that led under this name is surely dead, for ever. Left out: nobody can tell. */
  readonly isDead?: (holder: string) => boolean
  /** Whom this process answers beside keeping; left out: nobody. */
  readonly pressure?: Pressure
}

export interface ControllerPlatform {
  readonly providers: ReadonlyMap<string, PlatformProvider>
  readonly config: Config | undefined
  /** Everybody who can ask is an administrator of all projects, so nobody gains by running programs as Berth's own user. */
  readonly isAlone?: boolean
}

export interface PlatformProvider {
  readonly provider: Provider
  readonly state: 'open' | 'cordoned' | 'draining' | 'removing'
}
