import type { Problem } from '../base/problem.ts'
import type { DocNode, Path, SourceDocument } from './document.ts'
import { nodeAt } from './look-up.ts'
import { candidatesAt } from './schema-walk.ts'
import type { SchemaBranch, Schema } from './schema-walk.ts'

/** One place in a document under one schema, with everything that a message about it may need. */
export interface DocumentSpot {
  readonly document: SourceDocument
  readonly schema: Schema
  readonly path: Path
  /** Undefined when the document has nothing there. */
  readonly node: DocNode | undefined
  readonly candidates: readonly SchemaBranch[]
}

/** A problem, and the path of the key that is missing or that a misspelt key was meant to be. */
export interface KeyFinding {
  readonly problem: Problem
  readonly missing?: string
  readonly meant?: string
}

/** The spot at a path. */
export function spotAt({ document, schema }: Pick<DocumentSpot, 'document' | 'schema'>, path: Path): DocumentSpot {
  return { document, schema, path, node: nodeAt(document, path), candidates: candidatesAt(schema, path) }
}
