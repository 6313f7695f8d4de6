/** A part of a JSON Schema that zod made from our own definition. */
export interface KeySchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, KeySchema>>
  readonly additionalProperties?: KeySchema | boolean
  readonly anyOf?: readonly KeySchema[]
  readonly items?: KeySchema
}

/** Every key that takes a value, as users write it: `*` stands for a name of their own. What is refused as reserved is none. */
export function keysIn(schema: KeySchema, path: readonly string[] = []): readonly string[] {
  if (schema.description === 'Reserved for later.') return []
  const parts = [schema, ...(schema.anyOf ?? [])].flatMap((part) => [part, ...(part.items ? [part.items] : [])])
  const inner = parts.flatMap(({ properties = {}, additionalProperties: any }) => [
    ...Object.entries(properties).flatMap(([name, value]) => keysIn(value, [...path, name])),
    ...(typeof any === 'object' && any.properties !== undefined ? keysIn(any, [...path, '*']) : []),
  ])
  return inner.length > 0 ? [...new Set(inner)] : [path.join('.')]
}

/** What is known of the keys of a file. */
export interface KeyFacts {
  readonly keys: readonly string[]
  /** By key, or by a key around it: the property that holds its value once the file is read. */
  readonly held: Readonly<Record<string, string>>
  /** The shipped files that read a property. */
  readonly readers: (property: string) => readonly string[]
  /** Keys that are said to have no effect. */
  readonly idle: readonly string[]
  /** Of those: the files that pass a value on or show it, and do nothing else with it. */
  readonly shown: Readonly<Record<string, readonly string[]>>
}

/** Keys that pretend: nothing reads them and nobody is told, or they are said to be idle and are not. */
export function pretended({ keys, held, readers, idle, shown }: KeyFacts): readonly string[] {
  return keys.flatMap((key): readonly string[] => {
    const property = propertyOf(held, key)
    if (property === undefined) return [`${key}: say in \`held\` which property holds it`]
    const found = readers(property)
    if (!isIdle(idle, key)) return found.length > 0 ? [] : [`${key}: nothing reads it, and the table does not say so`]
    const more = found.filter((path) => !(shown[key] ?? []).includes(path))
    return more.map((path) => `${key}: is in the table of keys without effect, and ${path} reads it`)
  })
}

/** A role takes what the workload takes, and a key around others stands for all of them. */
function propertyOf(held: Readonly<Record<string, string>>, key: string): string | undefined {
  const steps = key.replace(/^roles\.\*\.(?!reserve)/, '').split('.')
  for (let length = steps.length; length > 0; length--) {
    const found = held[steps.slice(0, length).join('.')]
    if (found !== undefined) return found
  }
  return undefined
}

function isIdle(idle: readonly string[], key: string): boolean {
  return idle.some((one) => key === one || key.startsWith(`${one}.`))
}
