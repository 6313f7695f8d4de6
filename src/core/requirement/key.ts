import type * as z from 'zod'
import type { GpuFacts, Machine } from '../offer/machine.ts'
import type { Notes } from './fields.ts'
import type { Reason, ReasonDoc } from './reason.ts'
import type { SetAlgebra } from './need/algebra.ts'

/**
 * One requirement: everything that Berth knows about one key under `resources` or `resources.gpu`. The manifest's schema,
 * the row that keeps it, the need, its filter, the reasons, what would admit more, the flag and the documentation follow
 * from the entry; see table.ts.
 */
export interface RequirementKey<
  Key extends string,
  Held extends string,
  Slot extends string,
  Schema extends z.ZodType,
  Row extends z.ZodType,
  Wanted,
  Facts,
> extends Judge<Wanted, Facts> {
  /** As users write it: `min_vram`. */
  readonly key: Key
  /** Where it stands among the keys of its map. Steps of ten leave room. */
  readonly place: number
  readonly schema: Schema
  readonly notes: Notes
  /** Other common names for the key; each gets a "did you mean" hint. */
  readonly also: readonly string[]
  /** What a manifest and its row in the store call the value. This must never change. */
  readonly held: Held
  /** How a row keeps it. A value that may be missing is left out. */
  readonly row: Row
  /** What a manifest holds, once defaults are filled in. */
  read(value: z.output<Schema> | undefined, stated: StatedKeys): z.output<Row>
  /** What a need calls the set that is wanted. */
  readonly slot: Slot
  readonly set: SetAlgebra<Wanted>
  want(held: z.output<Row>): Wanted
  /** The name of the filter, which policies use under `unknown.accept`. */
  readonly name: string
  /** The rank of the filter; see Filter. */
  readonly rank: number
  readonly flag: KeyFlag
  readonly dialect?: KeyDialect
  /** Whether only NVIDIA cards can meet this value, as written; left out: cards of every maker can. */
  nvidiaOnly?(text: string): boolean
}

/** How a requirement judges what is known of a machine. Monotone: a narrower set never passes what a wider one refuses. */
export interface Judge<Wanted, Facts> {
  readonly reasons: Readonly<Record<string, ReasonDoc>>
  /** Undefined when the facts will do, or when nothing is wanted. */
  check(wanted: Wanted, facts: Facts, cards: number): Reason | undefined
  /** How far refused facts are from what is wanted, as a share of it; left out where the values have no distance. */
  miss?(wanted: Wanted, facts: Facts): number | undefined
  /** The smallest changes that would admit some of `refused`, smallest first. */
  loosen?(wanted: Wanted, refused: readonly Facts[]): readonly KeyStep<Wanted>[]
}

/** A change of one key: its value before and after, as users write it, and the set that is wanted then. */
export interface KeyStep<Wanted> {
  readonly from: string
  readonly to: string
  readonly wanted: Wanted
  /** The size of the change as a share of what was asked for; left out where the values have no distance. */
  readonly share?: number
  /** What to know before making the change, in one sentence; left out: nothing. */
  readonly note?: string
}

/** What other keys of the same map state, for defaults that depend on them. */
interface StatedKeys {
  readonly arch?: readonly string[] | undefined
}

/** The flag of `berth offers search` that stands for a key. */
export interface KeyFlag {
  /** `gpu-count`, as after `--`; left out: the key with dashes. */
  readonly name?: string
  /** What the help calls its value. */
  readonly value: string
  readonly says: string
  /** How the value is written in a manifest; left out: as text. */
  readonly type?: 'number' | 'list' | 'map'
}

/** How other tools spell a requirement. */
export interface KeyDialect {
  /** Their keys, separated by spaces. Case, `_` and `-` do not matter. */
  readonly keys: string
  /** Completes the sentence "This ...": `asks for memory bandwidth in another tool's words`. */
  readonly does: string
  /** What to write instead; undefined: the value cannot be read. */
  value(text: string): string | undefined
}

/** A requirement of any key, for code that treats them all alike. */
export type AnyKey<Facts> = RequirementKey<string, string, string, z.ZodType, z.ZodType, unknown, Facts>

/** A key under `resources.gpu`, which is about each card. */
export function gpuKey<
  const Key extends string,
  const Held extends string,
  const Slot extends string,
  Schema extends z.ZodType,
  Row extends z.ZodType,
  Wanted,
>(
  key: RequirementKey<Key, Held, Slot, Schema, Row, Wanted, GpuFacts>,
): RequirementKey<Key, Held, Slot, Schema, Row, Wanted, GpuFacts> {
  return key
}

/** A key under `resources`, which is about the whole machine. */
export function machineKey<
  const Key extends string,
  const Held extends string,
  const Slot extends string,
  Schema extends z.ZodType,
  Row extends z.ZodType,
  Wanted,
>(
  key: RequirementKey<Key, Held, Slot, Schema, Row, Wanted, Machine>,
): RequirementKey<Key, Held, Slot, Schema, Row, Wanted, Machine> {
  return key
}
