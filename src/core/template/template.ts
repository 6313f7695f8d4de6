import { checkUncut, inOrder } from '../document/check.ts'
import type { DocNode, DocScalar, Mark, SourceDocument } from '../document/document.ts'
import { entryOf, placeOf, printable, sourced } from '../document/look-up.ts'
import { nearest } from '../document/nearest.ts'
import type { TemplateParameter } from './parameter.ts'
import type { Problem, SourcedProblem } from '../base/problem.ts'
import { piecesOf, type Piece } from './places.ts'
import { parametersSchema, type ParameterFile } from './schema.ts'

/** A manifest with placeholders: its declared parameters, and the manifest without the declaration. */
export interface Template {
  readonly parameters: readonly TemplateParameter[]
  /** Its marks refer to the text of the template. */
  readonly body: SourceDocument
}

export type ReadTemplate = { readonly template: Template } | { readonly problems: readonly SourcedProblem[] }

/**
 * Reads the declaration and finds every placeholder: all that can be checked before the values are known.
 * `checkTemplate` checks the manifest around the placeholders.
 */
export function readTemplate(document: SourceDocument): ReadTemplate {
  const { root } = document
  const declared = root.kind === 'map' ? entryOf(root, DECLARATION) : undefined
  const body = { ...document, root: withoutDeclaration(root) }
  const checked =
    declared === undefined ? { value: {} } : checkUncut(parametersSchema, { ...document, root: declared.value })
  const parameters = 'value' in checked ? Object.entries(checked.value).map(toParameter) : undefined
  // A parameter with an invalid declaration is still declared, so its placeholders are not reported too.
  const names = parameters?.map(({ name }) => name) ?? keysOf(declared?.value)
  const problems = [
    ...('problems' in checked ? checked.problems : []),
    ...placeProblems(body, names),
    ...unusedProblems(body, { names, declared: declared?.value }),
  ]
  if (parameters !== undefined && problems.length === 0) return { template: { parameters, body } }
  return { problems: sourced(inOrder(problems), document) }
}

const DECLARATION = 'parameters'

function withoutDeclaration(root: DocNode): DocNode {
  return root.kind === 'map' ? { ...root, entries: root.entries.filter(({ key }) => key !== DECLARATION) } : root
}

function keysOf(node: DocNode | undefined): readonly string[] {
  return node?.kind === 'map' ? node.entries.map(({ key }) => key) : []
}

function toParameter([name, file]: readonly [string, ParameterFile]): TemplateParameter {
  const { type, default: value, allowed, description } = file
  return { name, type, default: value, allowed, description }
}

/** Every scalar of a document that contains a dollar sign, with its pieces. */
function* spots(node: DocNode): Generator<{ readonly scalar: DocScalar; readonly pieces: readonly Piece[] }> {
  if (node.kind === 'map') for (const { value } of node.entries) yield* spots(value)
  else if (node.kind === 'list') for (const item of node.items) yield* spots(item)
  else if (typeof node.value === 'string' && node.value.includes('$')) {
    yield { scalar: node, pieces: piecesOf(node.value) }
  }
}

function placeProblems(body: SourceDocument, names: readonly string[]): readonly Problem[] {
  const problems = [...keyProblems(body, body.root)]
  for (const { scalar, pieces } of spots(body.root)) {
    const place = placeOf(body, scalar.at)
    for (const piece of pieces) {
      if (piece.kind === 'wrong') problems.push(wrongPlace(piece.text, place))
      else if (piece.kind === 'place' && !names.includes(piece.name)) {
        problems.push({ ...unknownParameter(piece.name, names), found: `\${${piece.name}}`, place })
      }
    }
  }
  return problems
}

function wrongPlace(text: string, place: Problem['place']): Problem {
  return {
    code: 'TEMPLATE_PLACE',
    message: `\`${printable(text)}\` is not a valid placeholder.`,
    found: printable(text),
    hint: 'Write ${name} with the name of a parameter, or $$ for a literal dollar sign.',
    ...(place !== undefined && { place }),
  }
}

/** A value must never become a key: keys determine what a manifest means. */
function* keyProblems(body: SourceDocument, node: DocNode): Generator<Problem> {
  if (node.kind === 'scalar') return
  if (node.kind === 'list') {
    for (const item of node.items) yield* keyProblems(body, item)
    return
  }
  for (const { key, keyAt, value } of node.entries) {
    if (key.includes('${')) yield keyProblem(key, placeOf(body, keyAt))
    yield* keyProblems(body, value)
  }
}

function keyProblem(key: string, place: Problem['place']): Problem {
  return {
    code: 'TEMPLATE_PLACE',
    message: 'A key cannot contain a placeholder.',
    found: printable(key),
    hint: 'Keys are the same in every launch. Move the placeholder into the value.',
    ...(place !== undefined && { place }),
  }
}

/** An undeclared parameter, with the name that may have been meant. */
export function unknownParameter(name: string, names: readonly string[]): Problem {
  const meant = nearest(name, names)
  const listed = names.length === 0 ? 'The template has no parameters.' : `Parameters here: ${names.join(', ')}.`
  return {
    code: 'PARAMETER_UNKNOWN',
    message: `There is no parameter called ${printable(name)}.`,
    found: printable(name),
    hint: meant === undefined ? listed : `Did you mean ${meant}? ${listed}`,
  }
}

function unusedProblems(
  body: SourceDocument,
  { names, declared }: { readonly names: readonly string[]; readonly declared: DocNode | undefined },
): readonly Problem[] {
  const used = new Set<string>()
  for (const { pieces } of spots(body.root))
    for (const piece of pieces) if (piece.kind === 'place') used.add(piece.name)
  return names
    .filter((name) => !used.has(name))
    .map((name) => {
      const mark = declared?.kind === 'map' ? entryOf(declared, name)?.keyAt : undefined
      return unusedProblem(name, body, mark)
    })
}

function unusedProblem(name: string, body: SourceDocument, mark: Mark | undefined): Problem {
  return {
    code: 'PARAMETER_UNUSED',
    message: `The parameter ${printable(name)} is never used.`,
    found: printable(name),
    hint: `Write \${${printable(name)}} where its value goes, or remove it.`,
    ...(mark !== undefined && { place: placeOf(body, mark) }),
  }
}
