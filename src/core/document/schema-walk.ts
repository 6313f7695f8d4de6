import { globalRegistry } from 'zod'
import type { core } from 'zod'
import type { Path } from './document.ts'
import { traits } from './traits.ts'
import type { Traits } from './traits.ts'

/** Any zod schema, seen from inside. */
export type Schema = core.$ZodType

/** A schema without its wrappers, which a value is compared with. */
export interface SchemaBranch {
  readonly def: core.$ZodTypes['_zod']['def']
  readonly traits: Traits
  /** An example of the value, from the schema's metadata. */
  readonly example: unknown
}

/** Notes found on the way through the wrappers; the outer one wins. */
interface Notes {
  readonly traits: Traits
  readonly example: unknown
}

const NO_NOTES: Notes = { traits: {}, example: undefined }

/** Schemas may refer to themselves, so the search for keys stops at the depth limit of documents. */
const DEPTH_MAX = 8

/** Schemas never change, so what is found out about one is cached. */
const CANDIDATES = new WeakMap<Schema, readonly SchemaBranch[]>()
const HOMES = new WeakMap<Schema, ReadonlyMap<string, readonly string[]>>()

/** Everything that a value may be compared with, without wrappers and with unions expanded. */
export function candidatesOf(schema: Schema): readonly SchemaBranch[] {
  const known = CANDIDATES.get(schema)
  if (known !== undefined) return known
  const candidates = unwrap(schema, NO_NOTES)
  CANDIDATES.set(schema, candidates)
  return candidates
}

function unwrap(schema: Schema, outer: Notes): readonly SchemaBranch[] {
  // $ZodTypes is zod's own union of all its schema classes, so every schema is one of them.
  // oxlint-disable-next-line no-underscore-dangle -- the only name under which zod shows what a schema is made of
  const def = (schema as core.$ZodTypes)._zod.def
  const notes = notesOf(schema, outer)
  switch (def.type) {
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return unwrap(def.innerType, notes)
    case 'pipe':
      return unwrap(def.in, notes)
    case 'lazy':
      return unwrap(def.getter(), notes)
    case 'union':
      return def.options.flatMap((option) => unwrap(option, notes))
  }
  return [{ def, ...notes }]
}

/** The candidates one step further in. */
export function stepInto(candidates: readonly SchemaBranch[], step: string | number): readonly SchemaBranch[] {
  return candidates.flatMap(({ def }) => {
    if (def.type === 'array') return typeof step === 'number' ? candidatesOf(def.element) : []
    if (typeof step === 'number') return []
    if (def.type === 'record') return candidatesOf(def.valueType)
    const field = def.type === 'object' && Object.hasOwn(def.shape, step) ? def.shape[step] : undefined
    return field === undefined ? [] : candidatesOf(field)
  })
}

/** The candidates at a path. */
export function candidatesAt(root: Schema, path: Path): readonly SchemaBranch[] {
  return path.reduce(stepInto, candidatesOf(root))
}

/** Every key that is valid in a map, with its other common names. */
export function keysOf(candidates: readonly SchemaBranch[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>()
  for (const { def } of candidates) {
    if (def.type !== 'object') continue
    for (const [key, field] of Object.entries(def.shape)) {
      keys.set(
        key,
        candidatesOf(field).flatMap((candidate) => candidate.traits.also ?? []),
      )
    }
  }
  return keys
}

/** For each key of a schema, the maps in which it is valid, outermost first: `min_vram` -> `resources.gpu`. */
export function homesOf(root: Schema): ReadonlyMap<string, readonly string[]> {
  const known = HOMES.get(root)
  if (known !== undefined) return known
  const homes = new Map<string, string[]>()
  let level: readonly Home[] = [{ path: '', candidates: candidatesOf(root) }]
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth++) {
    for (const { path, candidates } of level) {
      for (const key of keysOf(candidates).keys()) homes.set(key, [...(homes.get(key) ?? []), path])
    }
    level = level.flatMap(insideOf)
  }
  HOMES.set(root, homes)
  return homes
}

interface Home {
  readonly path: string
  readonly candidates: readonly SchemaBranch[]
}

function insideOf({ path, candidates }: Home): readonly Home[] {
  return candidates.flatMap(({ def }): readonly Home[] => {
    if (def.type === 'array') return [{ path: `${path}[]`, candidates: candidatesOf(def.element) }]
    if (def.type === 'record') return [{ path: `${path}.NAME`, candidates: candidatesOf(def.valueType) }]
    if (def.type !== 'object') return []
    return Object.entries(def.shape).map(([key, field]) => ({
      path: path === '' ? key : `${path}.${key}`,
      candidates: candidatesOf(field),
    }))
  })
}

function notesOf(schema: Schema, outer: Notes): Notes {
  const own = globalRegistry.get(schema)?.examples
  return {
    traits: { ...traits.get(schema), ...outer.traits },
    example: outer.example ?? (Array.isArray(own) ? own[0] : undefined),
  }
}
