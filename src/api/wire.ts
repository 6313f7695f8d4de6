import type { z } from 'zod'

/**
 * A type as JSON carries it: undefined values are left out. The schemas of the API are checked against `Wire` of the
 * types in ports, in both directions, so that the two cannot drift apart.
 */
export type Wire<T> = T extends readonly (infer E)[] ? readonly Wire<E>[] : T extends object ? WireObject<T> : T

type WireObject<T> = { readonly [K in Kept<T>]: Wire<T[K]> } & {
  readonly [K in Exclude<keyof T, Kept<T>>]?: Wire<Exclude<T[K], undefined>> | undefined
}

/** Keys whose values are never undefined. */
type Kept<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T]

/** A schema whose values are those of `T`, as JSON carries them. */
export type SchemaOf<T> = z.ZodType<Wire<T>>

/** A value from the wire as its own type. */
export function fromWire<T>(value: Wire<T>): T {
  // The two differ only in keys that are left out or undefined, and reading either gives undefined.
  return value as T
}
