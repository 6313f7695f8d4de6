/** The most nodes of one file. */
export const NODES_MAX = 100_000

/** The nodes that a name stands for, produced one by one, because a short text can stand for very many. */
export interface NodeNames {
  readonly count: number
  readonly each: () => Iterable<string>
}

export type Expanded =
  | { readonly kind: 'names'; readonly names: NodeNames }
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string }

/**
 * The nodes that a name stands for: one, or with a range in braces one for each number, as in a shell. The numbers of
 * `dgx-{001..012}` have leading zeros because the first number has.
 */
export function expandName(text: string): Expanded {
  const match = /^([^{}]*)\{(\d{1,9})\.\.(\d{1,9})\}([^{}]*)$/.exec(text)
  if (match === null) return isName(text) ? single(text) : wrong(formOf(text))
  const [, head = '', first = '', last = '', tail = ''] = match
  if (!isName(`${head}${first}${tail}`)) return wrong(NAME_FORM)
  const count = Number(last) - Number(first) + 1
  if (count < 1) return wrong(`The range counts down, from ${first} to ${last}.`, `Write {${last}..${first}}.`)
  if (count > NODES_MAX) return wrong(`The range has more than ${NODES_MAX} nodes.`)
  const width = first.startsWith('0') ? Math.max(first.length, last.length) : 0
  const nameAt = (index: number): string => `${head}${String(Number(first) + index).padStart(width, '0')}${tail}`
  return { kind: 'names', names: { count, each: () => namesOf(count, nameAt) } }
}

function single(name: string): Expanded {
  return { kind: 'names', names: { count: 1, each: () => [name] } }
}

function* namesOf(count: number, nameAt: (index: number) => string): Generator<string> {
  for (let index = 0; index < count; index++) yield nameAt(index)
}

const NAME_FORM = 'A name has letters, digits, dots, dashes and underscores.'

function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text)
}

/** A name with brackets or braces is meant as a range. */
function formOf(text: string): string {
  return /[{}[\]]/.test(text) ? 'This is not a range of nodes.' : NAME_FORM
}

function wrong(message: string, hint = 'For example: dgx-001, or dgx-{001..012} for twelve of them.'): Expanded {
  return { kind: 'wrong', message, hint }
}
