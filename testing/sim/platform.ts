import type { ControllerPlatform, PlatformProvider } from '../../src/controller/deps.ts'
import { DEFAULT_POLICY, type Config, type Policy } from '../../src/core/policy/policy.ts'
import type { Provider } from '../../src/ports/provider.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'
import type { UserAction } from './users/action.ts'

const POLICIES: readonly Policy[] = [
  { ...DEFAULT_POLICY },
  { ...DEFAULT_POLICY, name: 'thrifty', spot: 'allowed' },
  { ...DEFAULT_POLICY, name: 'capped', usdPerHourMax: 30 },
]

type PlatformAction = Extract<UserAction, { kind: 'provider' | 'config' }>

/** What administrators say of providers and policies, and since when; the same for all control planes. */
export class SimPlatform {
  readonly #loop: Loop
  readonly #states = new Map<string, { state: 'open' | 'cordoned' | 'draining'; sinceMs: number }>()
  readonly #drainedMs = new Map<string, number>()
  /** Providers and policies that the configuration lacks, or lacked, and since when. */
  readonly #dropped = new Map<string, number>()
  readonly #backMs = new Map<string, number>()
  #made = new WeakMap<ReadonlyMap<string, Provider>, ControllerPlatform>()

  constructor(loop: Loop) {
    this.#loop = loop
  }

  act(action: PlatformAction): void {
    this.#made = new WeakMap()
    const { nowMs } = this.#loop
    if (action.kind === 'config') return this.#configure(action.without, nowMs)
    const { provider, state } = action
    this.#states.set(provider, { state, sinceMs: nowMs })
    if (state === 'draining') this.#drainedMs.set(provider, Number.POSITIVE_INFINITY)
    else if (this.#drainedMs.has(provider)) this.#drainedMs.set(provider, nowMs)
  }

  #configure(without: readonly string[], nowMs: number): void {
    for (const name of this.#dropped.keys()) {
      if (without.includes(name)) continue
      this.#dropped.delete(name)
      this.#backMs.set(name, nowMs)
    }
    for (const name of without) this.#dropped.set(name, this.#dropped.get(name) ?? nowMs)
  }

  get config(): Config {
    const policies = POLICIES.filter(({ name }) => !this.#dropped.has(name))
    return { providers: [], policies, defaultPolicy: 'default', projects: [] }
  }

  /** As a process sees it through its own ways to the providers; rebuilt only after a change. */
  seenThrough(gated: ReadonlyMap<string, Provider>): ControllerPlatform {
    const known = this.#made.get(gated)
    if (known !== undefined) return known
    const there = [...gated].filter(([name]) => !this.#dropped.has(name))
    const providers = new Map(there.map(([name, provider]) => [name, { provider, state: this.#stateOf(name) }]))
    const made = { providers, config: this.config }
    this.#made.set(gated, made)
    return made
  }

  /** The policy that a manifest names, if there is one. */
  policyOf(name: string | undefined): Policy | undefined {
    return this.config.policies.find((policy) => policy.name === (name ?? 'default'))
  }

  isOpen(provider: string): boolean {
    return this.#stateOf(provider) === 'open' && !this.#dropped.has(provider)
  }

  isDraining(provider: string): boolean {
    return this.#stateOf(provider) === 'draining'
  }

  drainedMs(provider: string): number | undefined {
    return this.#drainedMs.get(provider)
  }

  closedSinceMs(provider: string): number | undefined {
    const dropped = this.#dropped.get(provider)
    const known = this.#states.get(provider)
    return dropped ?? (known === undefined || known.state === 'open' ? undefined : known.sinceMs)
  }

  /** Since when the configuration has had it; undefined: it has not. */
  thereSinceMs(provider: string): number | undefined {
    return this.#dropped.has(provider) ? undefined : (this.#backMs.get(provider) ?? 0)
  }

  #stateOf(name: string): PlatformProvider['state'] {
    return this.#states.get(name)?.state ?? 'open'
  }
}
