import type { DocNode, DocScalar, SourceDocument } from '../document/document.ts'
import { placeOf } from '../document/look-up.ts'
import { must } from '../base/assert.ts'
import type { Problem } from '../base/problem.ts'
import { piecesOf } from './places.ts'
import type { Template } from './template.ts'
import type { Given } from './values.ts'

export type RenderResult = { readonly document: SourceDocument } | { readonly problem: Problem }

/** The size limit of a manifest: a small template must not expand to gigabytes. */
const SIZE_MAX = 256 * 1024

/**
 * The manifest of a template with its values filled in. Values replace parts of scalars that are already parsed, so no
 * value can become a key, a list or any other syntax. Every declared parameter must have a value.
 */
export function renderTemplate({ body }: Template, values: ReadonlyMap<string, Given>): RenderResult {
  const filling: Filling = { values, sizeLeft: SIZE_MAX }
  const root = fill(body.root, filling)
  if (filling.sizeLeft >= 0) return { document: { ...body, root } }
  const message = 'With these values the manifest is larger than 256 KB.'
  const hint = 'Put models and data in storage, and scripts in the image.'
  return { problem: { code: 'YAML_TOO_LARGE', message, hint, place: placeOf(body, body.root.at) } }
}

interface Filling {
  readonly values: ReadonlyMap<string, Given>
  /** How many characters values may still add. Below zero, nothing more is added. */
  sizeLeft: number
}

function fill(node: DocNode, filling: Filling): DocNode {
  switch (node.kind) {
    case 'map':
      return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: fill(entry.value, filling) })) }
    case 'list':
      return { ...node, items: node.items.map((item) => fill(item, filling)) }
    case 'scalar':
      return fillScalar(node, filling)
  }
}

/** A scalar that is a single placeholder becomes the value itself, with its type. Any other scalar stays text. */
function fillScalar(scalar: DocScalar, filling: Filling): DocScalar {
  if (typeof scalar.value !== 'string' || !scalar.value.includes('$')) return scalar
  const pieces = piecesOf(scalar.value)
  const [only] = pieces
  if (pieces.length === 1 && only?.kind === 'place') {
    const { value, text } = valueOf(only.name, filling)
    return { ...scalar, value, text }
  }
  const text = pieces.map((piece) => (piece.kind === 'place' ? valueOf(piece.name, filling).text : piece.text)).join('')
  return { ...scalar, value: text, text }
}

const NOTHING: Given = { value: '', text: '' }

function valueOf(name: string, filling: Filling): Given {
  const given = must(filling.values.get(name), `the parameter ${name} has no value`)
  filling.sizeLeft -= given.text.length
  return filling.sizeLeft < 0 ? NOTHING : given
}
