import type { Problem } from '../base/problem.ts'
import type { DocNode } from './document.ts'
import { flow } from './flow.ts'
import { foundText, placeOf, printable } from './look-up.ts'
import { nearest } from './nearest.ts'
import type { SchemaBranch } from './schema-walk.ts'
import type { DocumentSpot } from './spot.ts'

/** A longer list of choices goes into the hint, so that the message stays one sentence. */
const CHOICES_SHOWN = 8

/** A value of the wrong type: text for a number, a list for a map. */
export function typeProblem(spot: DocumentSpot, node: DocNode): Problem {
  const wanted = wantedWords(spot.candidates)
  if (node.kind === 'scalar' && node.value === null) {
    const hint = exampleHint(spot) ?? (isTextWanted(spot.candidates) ? 'Write "" if it should be empty.' : undefined)
    return problemAt(spot, node, { code: 'VALUE_TYPE', message: `${subject(spot)} has no value.`, hint })
  }
  if (isNumberWanted(spot.candidates) && isHugeNumber(node)) {
    return problemAt(spot, node, { code: 'VALUE_RANGE', message: 'This number is too large.', hint: exampleHint(spot) })
  }
  // A number where a number is expected can only be wrong because it is a fraction.
  const isFraction = node.kind === 'scalar' && typeof node.value === 'number' && isNumberWanted(spot.candidates)
  const message = `Expected ${isFraction ? 'a whole number' : wanted}, found ${foundWord(node)}.`
  return problemAt(spot, node, { code: 'VALUE_TYPE', message, hint: typeHint(spot, node) })
}

/** A value that is none of the choices. */
export function choiceProblem(choices: readonly string[], spot: DocumentSpot, node: DocNode): Problem {
  if (node.kind !== 'scalar') return typeProblem(spot, node)
  const few = choices.length <= CHOICES_SHOWN
  const text = `\`${printable(node.text)}\``
  const message = few ? `${text} is not ${oneOf(choices)}.` : `${text} is not known here.`
  const near = nearest(node.text, choices)
  const all = few ? undefined : `Known: ${choices.join(', ')}.`
  return problemAt(spot, node, {
    code: 'VALUE_INVALID',
    message,
    hint: near === undefined ? all : `Did you mean ${near}?`,
  })
}

/** Limits of a number, of the length of a text or of the number of entries. */
export type Limit = { readonly inclusive: boolean } & ({ readonly most: number } | { readonly least: number })

/** A value beyond its limits. */
export function rangeProblem(limit: Limit, spot: DocumentSpot, node: DocNode): Problem {
  const message = node.kind === 'scalar' && typeof node.value === 'number' ? numberRange(limit) : sizeRange(limit, node)
  return problemAt(spot, node, { code: 'VALUE_RANGE', message, hint: exampleHint(spot) })
}

/** A text in the wrong form; the schema has the message. */
export function formProblem(message: string, spot: DocumentSpot, node: DocNode): Problem {
  return problemAt(spot, node, { code: 'VALUE_INVALID', message, hint: exampleHint(spot) })
}

/** An example of the value, from the schema. */
export function exampleHint({ path, candidates }: Pick<DocumentSpot, 'path' | 'candidates'>): string | undefined {
  const example = candidates.find((candidate) => candidate.example !== undefined)?.example
  if (example === undefined) return undefined
  const key = path.at(-1)
  return typeof key === 'string' ? `For example: ${printable(key)}: ${flow(example)}` : `For example: ${flow(example)}`
}

type Words = Pick<Problem, 'code' | 'message'> & { readonly hint: string | undefined }

function problemAt(spot: DocumentSpot, node: DocNode, { code, message, hint }: Words): Problem {
  const found = foundText(node)
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(found !== undefined && found !== '' && { found }),
    place: placeOf(spot.document, node.at),
  }
}

function subject({ path }: DocumentSpot): string {
  const key = path.at(-1)
  return typeof key === 'string' ? `\`${printable(key)}\`` : 'This entry'
}

function typeHint(spot: DocumentSpot, node: DocNode): string | undefined {
  const key = spot.path.at(-1)
  const lead = typeof key === 'string' ? `${printable(key)}: ` : ''
  if (node.kind === 'scalar') {
    if (isTextWanted(spot.candidates) && typeof node.value !== 'string')
      return `Put it in quotes: ${lead}"${printable(node.text)}"`
    const isNumber = typeof node.value === 'string' && /^-?\d+(\.\d+)?$/.test(node.text)
    if (isNumber && isNumberWanted(spot.candidates)) return `Write it without quotes: ${lead}${node.text}`
  }
  return exampleHint(spot)
}

function isTextWanted(candidates: readonly SchemaBranch[]): boolean {
  return candidates.some(({ def }) => def.type === 'string')
}

function isNumberWanted(candidates: readonly SchemaBranch[]): boolean {
  return candidates.some(({ def }) => def.type === 'number')
}

/** Readers keep numbers that JavaScript cannot represent exactly as text. */
function isHugeNumber(node: DocNode): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return false
  return /^[-+]?\.?\d/.test(node.text) && Math.abs(Number(node.text)) > Number.MAX_SAFE_INTEGER
}

function wantedWords(candidates: readonly SchemaBranch[]): string {
  const words = [...new Set(candidates.map(wantedWord))]
  return words.length === 0 ? 'something else' : words.join(' or ')
}

function wantedWord({ def, traits }: SchemaBranch): string {
  if (traits.word !== undefined) return traits.word
  switch (def.type) {
    case 'number':
      return 'format' in def ? 'a whole number' : 'a number'
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    case 'object':
    case 'record':
      return 'a map'
    case 'enum':
      return oneOf(Object.values(def.entries).map(String))
    case 'literal':
      return oneOf(def.values.map(String))
  }
  return 'text'
}

function foundWord(node: DocNode): string {
  if (node.kind === 'map') return 'a map'
  if (node.kind === 'list') return 'a list'
  if (typeof node.value === 'string') return 'text'
  return printable(node.text)
}

function oneOf(choices: readonly string[]): string {
  if (choices.length === 1) return `\`${choices[0]}\``
  if (choices.length > CHOICES_SHOWN) return 'a known name'
  return `one of ${choices.join(', ')}`
}

function numberRange(limit: Limit): string {
  if ('most' in limit) return `The number must be ${limit.inclusive ? 'at most' : 'less than'} ${limit.most}.`
  return `The number must be ${limit.inclusive ? 'at least' : 'more than'} ${limit.least}.`
}

function sizeRange(limit: Limit, node: DocNode): string {
  const unit = node.kind === 'scalar' ? 'character' : 'entry'
  const bound = 'most' in limit ? limit.most : limit.least
  const units = bound === 1 ? unit : unit === 'entry' ? 'entries' : 'characters'
  return `This must have ${'most' in limit ? 'at most' : 'at least'} ${bound} ${units}.`
}
