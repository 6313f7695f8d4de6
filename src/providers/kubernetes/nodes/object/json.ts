/** A map of plain JSON whose values are not trusted yet. */
export type Json = Readonly<Record<string, unknown>>

export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The map at a path; an empty one if there is none. */
export function mapAt(value: unknown, ...path: readonly string[]): Json {
  const found = valueAt(value, path)
  return isMap(found) ? found : {}
}

/** The list at a path; an empty one if there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found : []
}

/** The text at a path. YAML turns `8` and `true` into other types, and labels are text. Empty text is no text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path)
  if (typeof found === 'number' || typeof found === 'boolean') return String(found)
  if (typeof found !== 'string' || found.trim() === '') return undefined
  return found.trim()
}

/** A map of texts, such as labels; what is no text or empty is left out. */
export function textsAt(value: unknown, ...path: readonly string[]): ReadonlyMap<string, string> {
  const map = mapAt(value, ...path)
  return new Map(
    Object.keys(map).flatMap((key) => {
      const text = textAt(map, key)
      return text === undefined ? [] : [[key, text]]
    }),
  )
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (isMap(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
    value,
  )
}
