import type { z } from 'zod'

/** A type as JSON carries it: undefined values are left out, and nothing is changed in place. */
export type Wire<T> = T extends readonly (infer E)[] ? readonly Wire<E>[] : T extends object ? WireObject<T> : T

type WireObject<T> = { readonly [K in Kept<T>]: Wire<T[K]> } & {
  readonly [K in Exclude<keyof T, Kept<T>>]?: Wire<Exclude<T[K], undefined>> | undefined
}

/** Keys whose values are never undefined. */
type Kept<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T]

/** A schema whose values are those of `T`, as JSON carries them. For types that core owns, because core knows no API. */
export type SchemaOf<T> = z.ZodType<Wire<T>>

/** The paths of the keys that values of type `T` have and values of type `S` do not. */
export type Extra<T, S, Path extends string = ''> = unknown extends T
  ? never
  : unknown extends S
    ? never
    : T extends readonly (infer E)[]
      ? Extra<E, ElementOf<S>, Path>
      : T extends object
        ? ExtraKeys<T, Extract<S, object>, Path>
        : never

type ExtraKeys<T extends object, S, Path extends string> = {
  [K in keyof T & string]: K extends KeyOf<S> ? Extra<T[K], ValueOf<S, K>, `${Path}${K}.`> : `${Path}${K}`
}[keyof T & string]

type ElementOf<S> = S extends readonly (infer E)[] ? E : never
type KeyOf<S> = S extends unknown ? keyof S : never
type ValueOf<S, K extends string> = S extends { readonly [Key in K]?: infer V } ? V : never
