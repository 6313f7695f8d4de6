import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync, type ESTree } from 'rolldown/utils'
import { ROOT } from './files.ts'

type Node = ESTree.Node
export type NodeType = Node['type']
export type NodeOf<Type extends NodeType> = Extract<Node, { readonly type: Type }>

/** One of our source files with its syntax tree, as the house rules look at it. */
export interface Source {
  /** From the repository root: `src/core/place/plan.ts`. */
  readonly path: string
  readonly lines: readonly string[]
  /** In `src`, and neither a test nor what tests lean on. */
  readonly isShipped: boolean
  /** Tests, suites and fixtures may do what they need to. */
  readonly isTest: boolean
  readonly imports: readonly Import[]
  readonly comments: readonly Comment[]
  /** Every node of these types, in the order of the text. */
  nodes<Type extends NodeType>(...types: readonly Type[]): readonly NodeOf<Type>[]
  /** The line on which this place of the text stands, from 1. */
  lineAt(offset: number): number
}

/** A module that a file imports, exports from or loads, for its values or for its types alone. */
export interface Import {
  readonly written: string
  /** The file it names, from the repository root; undefined: a package or one of Node's own modules. */
  readonly target: string | undefined
  readonly line: number
}

export interface Comment {
  readonly text: string
  readonly line: number
  readonly lastLine: number
  /** Nothing else stands on its first line before it. */
  readonly isAlone: boolean
}

/** A rule looks at parsed sources and tells what is wrong: one line each, which begins with the place. */
export type Rule = (sources: readonly Source[]) => readonly string[]

export function readSource(path: string): Source {
  return sourceOf(path, readFileSync(join(ROOT, path), 'utf8'))
}

export function sourceOf(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const byType = nodesByType(program)
  const starts = startsOfLines(text)
  const lines = text.trimEnd().split('\n')
  const lineAt = (offset: number): number => lineOf(starts, offset)
  const nodes: Source['nodes'] = (...types) => types.flatMap((type) => listOf(byType, type))
  const isTest = /\.(test|suite|fixture)\.ts$/.test(path)
  return {
    path,
    lines,
    isTest,
    isShipped: path.startsWith('src/') && !isTest,
    imports: importsOf(path, nodes, lineAt),
    comments: comments.map(({ value, start, end }) => {
      const line = lineAt(start)
      const isAlone = text.slice(starts[line - 1], start).trim() === ''
      return { text: value, line, lastLine: lineAt(end), isAlone }
    }),
    nodes,
    lineAt,
  }
}

/** `path:line words`, as every rule names a place. */
export function at(source: Source, line: number, words: string): string {
  return `${source.path}:${line} ${words}`
}

/** The name of a package without what is taken from inside it: `zod`, `@prometheus-io/client`, `node:fs`. */
export function packageOf(written: string): string {
  if (written.startsWith('node:')) return written
  const parts = written.split('/')
  return parts.slice(0, written.startsWith('@') ? 2 : 1).join('/')
}

/** Names that are looked up where they stand, in values and in types: no keys, no members. */
export function referencesOf(source: Source): readonly NodeOf<'Identifier'>[] {
  const others = new Set<unknown>()
  for (const node of source.nodes('MemberExpression')) if (!node.computed) others.add(node.property)
  for (const node of source.nodes('Property')) if (!node.computed) others.add(node.key)
  for (const node of source.nodes(
    'PropertyDefinition',
    'MethodDefinition',
    'TSPropertySignature',
    'TSMethodSignature',
  )) {
    if (!node.computed) others.add(node.key)
  }
  return source.nodes('Identifier').filter((node) => !others.has(node))
}

function importsOf(path: string, nodes: Source['nodes'], lineAt: Source['lineAt']): readonly Import[] {
  const declared = nodes('ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression')
  const typed = nodes('TSImportType')
  return [...declared, ...typed]
    .flatMap(({ source }) => (source?.type === 'Literal' && typeof source.value === 'string' ? [source] : []))
    .sort((one, other) => one.start - other.start)
    .map(({ value, start }) => {
      const target = value.startsWith('.') ? posix.join(dirname(path), value) : undefined
      return { written: value, target, line: lineAt(start) }
    })
}

type NodesByType = ReadonlyMap<NodeType, readonly Node[]>

/** One walk over the tree, after which every rule finds its nodes at once. */
function nodesByType(program: Node): NodesByType {
  const found = new Map<NodeType, Node[]>()
  const visit = (node: Node): void => {
    const same = found.get(node.type)
    if (same === undefined) found.set(node.type, [node])
    else same.push(node)
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const each of value) if (isNode(each)) visit(each)
      } else if (isNode(value)) visit(value)
    }
  }
  visit(program)
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function listOf<Type extends NodeType>(byType: NodesByType, type: Type): readonly NodeOf<Type>[] {
  // The map holds under each type the nodes of that type.
  return (byType.get(type) ?? []) as unknown as readonly NodeOf<Type>[]
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

/** The number of lines that start at or before a place: a search by halves. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
