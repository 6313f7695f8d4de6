import type { Provider } from '../ports/provider.ts'
import { ProviderGate, type GateDeps, type GateState } from './provider-gate.ts'

/** The gates of a process: one per provider, shared by all callers. They outlive terms, because what they learnt stays true. */
export class ProviderGates {
  readonly #deps: GateDeps
  readonly #gates = new Map<string, ProviderGate>()

  constructor(deps: GateDeps) {
    this.#deps = deps
  }

  /** A provider that was opened again with other settings starts afresh. */
  of(provider: Provider): ProviderGate {
    const known = this.#gates.get(provider.name)
    if (known?.provider === provider) return known
    const gate = new ProviderGate(provider, this.#deps)
    this.#gates.set(provider.name, gate)
    return gate
  }

  state(provider: string): GateState | undefined {
    return this.#gates.get(provider)?.state
  }
}
