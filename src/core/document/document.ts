/** A stretch of source text; lines and columns count from 1. */
export interface Mark {
  readonly line: number
  readonly column: number
  readonly length: number
}

/**
 * A parsed text that remembers where everything was. Formats (YAML, JSON) produce it, and the code that turns documents
 * into types reads it, so that every later problem can point at its line.
 */
export interface SourceDocument {
  /** The name that the user gave, for messages only. */
  readonly file: string
  readonly lines: readonly string[]
  readonly root: DocNode
}

export type DocNode = DocMap | DocList | DocScalar

export interface DocMap {
  readonly kind: 'map'
  readonly at: Mark
  readonly entries: readonly DocEntry[]
}

export interface DocEntry {
  readonly key: string
  readonly keyAt: Mark
  readonly value: DocNode
}

export interface DocList {
  readonly kind: 'list'
  readonly at: Mark
  readonly items: readonly DocNode[]
}

export interface DocScalar {
  readonly kind: 'scalar'
  readonly at: Mark
  readonly value: string | number | boolean | null
  /** Exactly as written, without quotes. */
  readonly text: string
}

/** A step into a document: a map key or a list index. */
export type Path = readonly (string | number)[]
