/** A schema as OpenAPI 3.0 and 3.1 write it. Words that are not known here are not checked. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Looks up `#/components/...`. */
export type Resolve = (ref: string) => JsonSchema

const DEPTH_MOST = 60

/** Everything in which a value differs from its schema: `body.gpu.count: must be at least 1`. */
export function differences(value: unknown, schema: unknown, resolve: Resolve): readonly string[] {
  return new Checker(resolve).check(value, schema, 'body').problems
}

interface Finding {
  readonly problems: readonly string[]
  /** Keys of the object that some part of the schema has looked at. */
  readonly known: ReadonlySet<string>
}

const FINE: Finding = { problems: [], known: new Set() }

class Checker {
  readonly #resolve: Resolve
  #depth = 0

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  check(value: unknown, written: unknown, at: string): Finding {
    if (typeof written !== 'object' || written === null) return FINE
    if (++this.#depth > DEPTH_MOST) throw new Error(`${at}: the schema goes too deep`)
    // Proven: an object that is not null has keys.
    const schema = this.#plain(written as JsonSchema)
    const found = this.#checkPlain(value, schema, at)
    this.#depth--
    return found
  }

  #plain(schema: JsonSchema): JsonSchema {
    const ref = schema['$ref']
    return typeof ref === 'string' ? this.#plain(this.#resolve(ref)) : schema
  }

  #checkPlain(value: unknown, schema: JsonSchema, at: string): Finding {
    if (value === null && schema['nullable'] === true) return FINE
    const parts = [
      { problems: [...typeProblems(value, schema, at), ...valueProblems(value, schema, at)], known: new Set<string>() },
      this.#object(value, schema, at),
      this.#items(value, schema, at),
      this.#combined(value, schema, at),
    ]
    const known = new Set(parts.flatMap((part) => [...part.known]))
    const strange = schema['unevaluatedProperties'] === false ? strangers(value, known, at) : []
    return { problems: [...parts.flatMap((part) => part.problems), ...strange], known }
  }

  #object(value: unknown, schema: JsonSchema, at: string): Finding {
    if (!isObject(value)) return FINE
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const missing = required.filter((key) => !Object.hasOwn(value, String(key))).map((key) => `${at}: lacks ${key}`)
    const inner = Object.entries(properties)
      .filter(([key]) => value[key] !== undefined)
      .map(([key, part]) => this.check(value[key], part, `${at}.${key}`).problems)
    const rest = Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
    const more = schema['additionalProperties']
    const others = isObject(more)
      ? rest.flatMap((key) => this.check(value[key], more, `${at}.${key}`).problems)
      : more === false
        ? rest.map((key) => `${at}: ${key} is not in the spec`)
        : []
    const known = new Set([...Object.keys(properties), ...(more === undefined ? [] : rest)])
    return { problems: [...missing, ...inner.flat(), ...others], known }
  }

  #items(value: unknown, schema: JsonSchema, at: string): Finding {
    if (!Array.isArray(value)) return FINE
    const { minItems, maxItems } = schema
    const size = [
      ...(typeof minItems === 'number' && value.length < minItems ? [`${at}: has fewer than ${minItems}`] : []),
      ...(typeof maxItems === 'number' && value.length > maxItems ? [`${at}: has more than ${maxItems}`] : []),
    ]
    const inner = value.flatMap((each, index) => this.check(each, schema['items'], `${at}[${index}]`).problems)
    return { problems: [...size, ...inner], known: new Set() }
  }

  #combined(value: unknown, schema: JsonSchema, at: string): Finding {
    const all = listOf(schema['allOf']).map((part) => this.check(value, part, at))
    const choice = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map((part) => this.check(value, part, at))
    const fitting = choice.filter(({ problems }) => problems.length === 0)
    const nearest = choice.toSorted((one, two) => one.problems.length - two.problems.length)[0]
    const chosen = choice.length === 0 ? [] : fitting.length > 0 ? fitting : [nearest ?? FINE]
    const isIf = schema['if'] !== undefined && this.check(value, schema['if'], at).problems.length === 0
    const branch = schema['if'] === undefined ? FINE : this.check(value, isIf ? schema['then'] : schema['else'], at)
    const isNot = schema['not'] !== undefined && this.check(value, schema['not'], at).problems.length === 0
    const parts = [...all, ...chosen, branch]
    const problems = [...parts.flatMap((part) => part.problems), ...(isNot ? [`${at}: is what it must not be`] : [])]
    return { problems, known: new Set(parts.flatMap((part) => [...part.known])) }
  }
}

function typeProblems(value: unknown, schema: JsonSchema, at: string): readonly string[] {
  const { type } = schema
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const isOne = types.length === 0 || types.some((each) => isOfType(value, each))
  return isOne ? [] : [`${at}: must be ${types.join(' or ')}, and is ${JSON.stringify(value)?.slice(0, 60)}`]
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function valueProblems(value: unknown, schema: JsonSchema, at: string): readonly string[] {
  const { enum: choices, const: only, pattern, minLength, maxLength, minimum, maximum, format } = schema
  const problems: string[] = []
  const must = (isSo: boolean, what: string): void => void (isSo || problems.push(`${at}: ${what}`))
  if (Array.isArray(choices)) must(choices.includes(value), `must be one of ${choices.join(', ')}`)
  if (only !== undefined) must(value === only, `must be ${JSON.stringify(only)}`)
  if (typeof value === 'string') {
    if (typeof pattern === 'string') must(new RegExp(pattern, 'u').test(value), `must match ${pattern}`)
    if (typeof minLength === 'number') must(value.length >= minLength, `must have ${minLength} characters or more`)
    if (typeof maxLength === 'number') must(value.length <= maxLength, `must have ${maxLength} characters or fewer`)
    if (format === 'date-time') must(!Number.isNaN(Date.parse(value)), 'must be a time')
    if (format === 'uuid') must(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value), 'must be a UUID')
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number') must(value >= minimum, `must be at least ${minimum}`)
    if (typeof maximum === 'number') must(value <= maximum, `must be at most ${maximum}`)
  }
  return problems
}

function strangers(value: unknown, known: ReadonlySet<string>, at: string): readonly string[] {
  if (!isObject(value)) return []
  const strange = Object.keys(value).filter((key) => !known.has(key))
  return strange.map((key) => `${at}: ${key} is not in the spec`)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
