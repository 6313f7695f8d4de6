import { parseAst } from 'rolldown/parseAst'

/** A change of one place inside one function, found by what the code is rather than by how it is written. */
export interface Edit {
  /** Where: `movesOf`, `Leadership.commit`, `Watcher.#list`; `cut.sinceMs` and `RULES['workload.change']` for what stands under a key. */
  readonly within: string
  /**
   * An expression or a statement that stands there exactly once. Spaces, line breaks, brackets that change nothing and
   * comments do not count. A name that begins with `$` stands for anything, and for the same thing wherever it is written
   * again; `$_` stands for anything each time.
   */
  readonly find: string
  /** What stands there instead; `$name` is what it stood for. Empty: nothing. */
  readonly replace: string
}

/** The text with the edit made. Throws where the function is not there, or the place is not there exactly once. */
export function edited(text: string, { within, find, replace }: Edit): string {
  const scope = scopeIn(parse(text), within)
  const pattern = patternOf(find)
  const found = nodesIn(scope).flatMap((node) => {
    const names = new Map<string, Node>()
    return matches(pattern, node, names) ? [{ node, names }] : []
  })
  const [only, ...more] = found
  if (only === undefined) throw new Error(`nothing in ${within} reads \`${find}\``)
  if (more.length > 0) throw new Error(`${found.length} places in ${within} read \`${find}\``)
  const filled = replace.replaceAll(/\$[a-z]\w*/gi, (name) => {
    const stood = only.names.get(name)
    return stood === undefined ? name : text.slice(stood.start, stood.end)
  })
  return text.slice(0, only.node.start) + filled + text.slice(only.node.end)
}

/** A node of the syntax tree, whose parts are looked at without knowing their kinds. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

function parse(text: string): Node {
  // Every node of the tree has a type and a place in the text.
  return parseAst(text, { lang: 'ts', preserveParens: false }) as unknown as Node
}

/** Nested in a method, so that everything may stand in it that may stand in one. */
function patternOf(find: string): Node {
  const body = nodesIn(parse(`class Any { async any() { for (;;) { ${find} } } }`)).find(
    ({ type }) => type === 'ForStatement',
  )
  const statements = isNode(body?.['body']) ? body['body']['body'] : undefined
  const [only, ...more] = Array.isArray(statements) ? statements.filter(isNode) : []
  if (only === undefined || more.length > 0) throw new Error(`\`${find}\` is not one expression or one statement`)
  return only.type === 'ExpressionStatement' && isNode(only['expression']) && !find.trimEnd().endsWith(';')
    ? only['expression']
    : only
}

/** Follows the names from the outermost in. */
function scopeIn(program: Node, within: string): Node {
  let scope = program
  for (const [, key, name = key] of within.matchAll(/\['([^']+)'\]|([#\w]+)/g)) {
    const found = nodesIn(scope).find((node) => node !== scope && nameOf(node) === name)
    if (found === undefined) throw new Error(`there is no ${within}`)
    scope = found
  }
  return scope
}

const NAMED = new Set(['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclarator', 'MethodDefinition', 'Property'])

/** What a declaration, a method or a key is called. A key that takes the name of its value says nothing of where one is. */
function nameOf(node: Node): string | undefined {
  const name = node['id'] ?? node['key']
  if (!NAMED.has(node.type) || !isNode(name) || node['shorthand'] === true) return undefined
  return name.type === 'PrivateIdentifier' ? `#${name['name']}` : String(name['name'] ?? name['value'])
}

/** A node and everything in it, outermost first. */
function nodesIn(node: Node): readonly Node[] {
  return [node, ...partsOf(node).flatMap(nodesIn)]
}

function partsOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Where something was written, and how. */
const WRITTEN = new Set(['start', 'end', 'range', 'loc', 'raw'])

function matches(pattern: unknown, found: unknown, names: Map<string, Node>): boolean {
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(found) &&
      pattern.length === found.length &&
      pattern.every((each, at) => matches(each, found[at], names))
    )
  }
  if (!isNode(pattern)) return isPlain(pattern) ? pattern === found : sameValue(pattern, found)
  if (!isNode(found)) return false
  const name = anythingIn(pattern)
  if (name !== undefined) return standsFor(name, found, names)
  return (
    pattern.type === found.type &&
    Object.keys(pattern).every((part) => WRITTEN.has(part) || matches(pattern[part], found[part], names))
  )
}

/** The name that stands for anything: for an expression, or as a statement of its own for a statement. */
function anythingIn(pattern: Node): string | undefined {
  const { type, name, expression } = pattern
  if (type === 'ExpressionStatement' && isNode(expression)) return anythingIn(expression)
  return type === 'Identifier' && typeof name === 'string' && name.startsWith('$') ? name : undefined
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** Objects of the tree that are no nodes: regular expressions and pieces of templates. */
function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function standsFor(name: string, found: Node, names: Map<string, Node>): boolean {
  if (name === '$_') return true
  const before = names.get(name)
  if (before !== undefined) return matches(before, found, new Map())
  names.set(name, found)
  return true
}
