import type * as z from 'zod'
import type { GpuFacts, Machine } from '../offer/machine.ts'
import { optional } from './fields.ts'
import * as gpuKeys from './gpu/registry.ts'
import type { AnyKey } from './key.ts'
import * as machineKeys from './machine/registry.ts'

// What follows from the entries. Nothing here knows a single key.

type GpuEntry = (typeof gpuKeys)[keyof typeof gpuKeys]
type MachineEntry = (typeof machineKeys)[keyof typeof machineKeys]

/** The parts of an entry that types follow from. */
interface EntryTypes {
  readonly key: string
  readonly held: string
  readonly slot: string
  readonly schema: z.ZodType
  readonly row: z.ZodType
  readonly set: { readonly any: unknown }
}

/** Keys of a map in a manifest file, with their schemas. */
type Fields<Entry extends EntryTypes> = { [E in Entry as E['key']]: z.ZodOptional<E['schema']> }
type Rows<Entry extends EntryTypes> = { [E in Entry as E['held']]: E['row'] }
type Held<Entry extends EntryTypes> = Readonly<z.output<Entry['row']>>

/** What a manifest holds. What may be missing is left out. */
type Request<Entry extends EntryTypes> = {
  readonly [E in Entry as undefined extends Held<E> ? never : E['held']]: Held<E>
} & { readonly [E in Entry as undefined extends Held<E> ? E['held'] : never]?: Held<E> }

type Wanted<Entry extends EntryTypes> = { readonly [E in Entry as E['slot']]: E['set']['any'] }

/** What a manifest asks of each card, with defaults filled in. */
export type GpuRequest = Request<GpuEntry>

/** What a manifest asks of the machine around the cards. */
export type MachineRequest = Request<MachineEntry>

/** What each card, or each slice of a card, must be. */
export type GpuNeed = Wanted<GpuEntry>

/** What the machine must be. */
export type MachineNeed = Wanted<MachineEntry>

/** The keys of a map, in the order of their places, and what follows from them. */
export interface KeyTable<Entry extends EntryTypes, Facts> {
  readonly keys: readonly AnyKey<Facts>[]
  /** For the manifest's schema. */
  readonly fields: Fields<Entry>
  /** For the schema of rows. */
  readonly rows: Rows<Entry>
  /** Admits everything. */
  readonly any: Wanted<Entry>
  /** Fills in the defaults. */
  read(file: object): Request<Entry>
  want(request: Request<Entry>): Wanted<Entry>
  meet(one: Wanted<Entry>, two: Wanted<Entry>): Wanted<Entry>
  /** Whether `wide` admits whatever `narrow` admits. */
  covers(wide: Wanted<Entry>, narrow: Wanted<Entry>): boolean
}

export const GPU: KeyTable<GpuEntry, GpuFacts> = tableOf<GpuEntry, GpuFacts>(Object.values<AnyKey<GpuFacts>>(gpuKeys))

export const MACHINE: KeyTable<MachineEntry, Machine> = tableOf<MachineEntry, Machine>(
  Object.values<AnyKey<Machine>>(machineKeys),
)

function tableOf<Entry extends EntryTypes, Facts>(entries: readonly AnyKey<Facts>[]): KeyTable<Entry, Facts> {
  const keys = entries.toSorted((one, two) => one.place - two.place)
  // Each of these has one property for each entry, with the name and the type that the entry states.
  const all = <T>(pairs: readonly (readonly [string, unknown])[]): T => Object.fromEntries(pairs) as T
  const at = (values: object, name: string): unknown => Reflect.get(values, name)
  return {
    keys,
    fields: all(keys.map(({ key, schema, notes, also }) => [key, optional(schema, notes, { also })])),
    rows: all(keys.map(({ held, row }) => [held, row])),
    any: all(keys.map(({ slot, set }) => [slot, set.any])),
    read: (file) =>
      all(
        keys.flatMap((entry) => {
          const value = entry.read(at(file, entry.key), file)
          return value === undefined ? [] : [[entry.held, value]]
        }),
      ),
    want: (request) => all(keys.map((entry) => [entry.slot, entry.want(at(request, entry.held))])),
    meet: (one, two) => all(keys.map(({ slot, set }) => [slot, set.meet(at(one, slot), at(two, slot))])),
    covers: (wide, narrow) => keys.every(({ slot, set }) => set.covers(at(wide, slot), at(narrow, slot))),
  }
}
