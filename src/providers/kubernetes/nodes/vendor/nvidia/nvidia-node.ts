import type { Stocked, Supply } from '../accelerators.ts'
import type { NameSources } from './identity.ts'

/** Everything that the readers of NVIDIA nodes look at. */
export interface NvidiaNode extends NameSources {
  readonly stocked: Stocked
  /** Cards that the machine was made or sold with; undefined: its type and labels do not say. */
  readonly most: number | undefined
  /** Whole cards, or what the plugin calls so. */
  readonly whole: Supply | undefined
  readonly shared: Supply | undefined
  /** Slices of the mixed strategy. */
  readonly slices: readonly Supply[]
}
