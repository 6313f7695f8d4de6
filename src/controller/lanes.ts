import type { Provider } from '../ports/provider.ts'
import { Lane, type LaneDoors, type LaneState } from './lane.ts'

/** The lanes of a process: one to each provider, for everybody who calls it. They outlive terms: what was learnt stays true. */
export class Lanes {
  readonly #doors: LaneDoors
  readonly #lanes = new Map<string, Lane>()

  constructor(doors: LaneDoors) {
    this.#doors = doors
  }

  /** A provider that was opened anew, with other settings, starts afresh. */
  of(provider: Provider): Lane {
    const known = this.#lanes.get(provider.name)
    if (known?.provider === provider) return known
    const lane = new Lane(provider, this.#doors)
    this.#lanes.set(provider.name, lane)
    return lane
  }

  state(provider: string): LaneState | undefined {
    return this.#lanes.get(provider)?.state
  }
}
