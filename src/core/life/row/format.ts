import type * as z from 'zod'
import { checkOf, type RowCheck } from './check.ts'

/** A body as stored, of any version. */
export type StoredBody = Readonly<Record<string, unknown>>

/** Turns a body that is valid in its own version into one of the next version. It never changes its argument. */
export type Upgrade = (body: StoredBody) => StoredBody

/** How the rows of one kind are written down. */
export interface RowFormat {
  /** One more than the number of upgrades. Rows that name no version have version 1. */
  readonly version: number
  /** What a row of this version holds. It accepts everything that any commit of this version ever wrote. */
  readonly schema: z.ZodType
  /** The same schema as a yes-or-no function. */
  readonly check: RowCheck
  /** From version 1 on, each to the next. A released upgrade never changes. */
  readonly upgrades: readonly Upgrade[]
}

/**
 * The format of rows with this body. It does not compile if the schema and the type differ, so neither can have a key that
 * the other lacks.
 */
export function formatOf<B>() {
  return <S extends z.ZodType>(
    schema: Whole<z.output<S>> extends Whole<B> ? (Whole<B> extends Whole<z.output<S>> ? S : never) : never,
    upgrades: readonly Upgrade[] = [],
  ): RowFormat => ({ version: upgrades.length + 1, schema, check: checkOf(schema), upgrades })
}

/** A type with all keys required: whether a key may be absent depends on what earlier commits wrote. */
type Whole<T> = T extends string | number | boolean | null | undefined
  ? T
  : unknown extends T
    ? unknown
    : T extends readonly (infer E)[]
      ? readonly Whole<Exclude<E, undefined>>[]
      : { readonly [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }
