import type { DocMap, DocNode, DocScalar } from './document.ts'
import { stepInto } from './schema-walk.ts'
import type { SchemaBranch } from './schema-walk.ts'

/** Objects cannot hold this key safely; check.ts refuses it. */
export const PROTO = '__proto__'

/**
 * A document's values without their marks, as input for zod. Maps become objects without a prototype, so that no key
 * (`__proto__`, `constructor`) has a special meaning. Scalars keep their text where the schema asks for it. Readers
 * limit the depth of documents, which bounds the recursion.
 */
export function toPlain(node: DocNode, candidates: readonly SchemaBranch[]): unknown {
  switch (node.kind) {
    case 'scalar':
      return plainScalar(node, candidates)
    case 'list':
      return node.items.map((item, index) => toPlain(item, stepInto(candidates, index)))
    case 'map':
      return plainMap(node, candidates)
  }
}

function plainScalar(node: DocScalar, candidates: readonly SchemaBranch[]): DocScalar['value'] {
  const asWritten = node.value !== null && candidates.some((candidate) => candidate.traits.asWritten === true)
  return asWritten ? node.text : node.value
}

function plainMap(node: DocMap, candidates: readonly SchemaBranch[]): unknown {
  const data: Record<string, unknown> = Object.create(null)
  for (const { key, value } of node.entries) {
    if (key !== PROTO) data[key] = toPlain(value, stepInto(candidates, key))
  }
  return data
}
