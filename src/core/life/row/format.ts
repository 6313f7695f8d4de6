import type * as z from 'zod'

/** A body as it lies in the store, of whatever version. */
export type StoredBody = Readonly<Record<string, unknown>>

/** The body of the next version, made of one that the schema of its own version took. Never changes what it is given. */
export type Upgrade = (body: StoredBody) => StoredBody

/** How the rows of one kind are written down. */
export interface RowFormat {
  /** One more than there are upgrades. Rows that name no version have the first. */
  readonly version: number
  /** What a row of this version holds. It takes everything that any commit of this version ever wrote. */
  readonly schema: z.ZodType
  /** From version 1 on, each to the next. One that was released is never changed. */
  readonly upgrades: readonly Upgrade[]
}

/**
 * The format of rows with this body. It does not compile where the schema and the type differ, so neither can get a key
 * that the other lacks.
 */
export function formatOf<B>() {
  return <S extends z.ZodType>(
    schema: Whole<z.output<S>> extends Whole<B> ? (Whole<B> extends Whole<z.output<S>> ? S : never) : never,
    upgrades: readonly Upgrade[] = [],
  ): RowFormat => ({ version: upgrades.length + 1, schema, upgrades })
}

/** A type with every key that it may have: whether one may be left out is a matter of what earlier commits wrote. */
type Whole<T> = T extends string | number | boolean | null | undefined
  ? T
  : unknown extends T
    ? unknown
    : T extends readonly (infer E)[]
      ? readonly Whole<Exclude<E, undefined>>[]
      : { readonly [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }
