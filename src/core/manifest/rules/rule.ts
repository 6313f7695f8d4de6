import type { DocList, DocMap, DocNode, Mark, Path, SourceDocument } from '../../document/document.ts'
import { foundText, nodeAt, placeOf } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'

/**
 * A check that involves more than one field. Rules read the document, not the parsed manifest, so that they find
 * problems whatever else is wrong. They leave what they do not understand to the schema.
 */
export type ManifestRule = (document: SourceDocument) => readonly Problem[]

type Words = Pick<Problem, 'code' | 'message'> & { readonly hint: string; readonly found?: string | undefined }

/** A problem at a mark. */
export function problemAt(document: SourceDocument, at: Mark, { code, message, hint, found }: Words): Problem {
  return { code, message, hint, ...(found !== undefined && { found }), place: placeOf(document, at) }
}

/** A problem with a value: at its place, with its text. */
export function problemWith(document: SourceDocument, node: DocNode, words: Omit<Words, 'found'>): Problem {
  return problemAt(document, node.at, { ...words, found: foundText(node) })
}

/** The paths at which resources, replicas, env and ports may appear: the workload itself and each role. */
export function scopesOf(document: SourceDocument): readonly Path[] {
  return [[], ...(mapAt(document, ['roles'])?.entries ?? []).map(({ key }) => ['roles', key])]
}

export function mapAt(document: SourceDocument, path: Path): DocMap | undefined {
  const node = nodeAt(document, path)
  return node?.kind === 'map' ? node : undefined
}

export function listAt(document: SourceDocument, path: Path): DocList | undefined {
  const node = nodeAt(document, path)
  return node?.kind === 'list' ? node : undefined
}

/** The scalar's text as written; undefined for anything else and for null. */
export function textOf(node: DocNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? node.text : undefined
}

/** One text, or the texts of a list. */
export function textsOf(node: DocNode | undefined): readonly string[] {
  const nodes = node === undefined ? [] : node.kind === 'list' ? node.items : [node]
  return nodes.map(textOf).filter((text) => text !== undefined)
}

export function numberOf(node: DocNode | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined
}
