import { printable } from '../document/look-up.ts'
import { nearest } from '../document/nearest.ts'
import type { TemplateParameter } from './parameter.ts'
import type { Problem } from '../base/problem.ts'
import { unknownParameter } from './template.ts'

/** A value for the manifest, and the text it was written as. */
export interface Given {
  readonly value: string | number | boolean
  readonly text: string
}

export type ReadValues = { readonly values: ReadonlyMap<string, Given> } | { readonly problems: readonly Problem[] }

const TEXT_MAX = 32_768
const CHOICES_SHOWN = 8

/** The values of a launch, as typed, together with the defaults; or all of their problems. */
export function readValues(
  parameters: readonly TemplateParameter[],
  set: Readonly<Record<string, string>>,
): ReadValues {
  const names = parameters.map(({ name }) => name)
  const problems: Problem[] = Object.keys(set)
    .filter((name) => !names.includes(name))
    .map((name) => unknownParameter(name, names))
  const values = new Map<string, Given>()
  for (const parameter of parameters) {
    const read = readValue(parameter, Object.hasOwn(set, parameter.name) ? set[parameter.name] : undefined)
    if ('value' in read) values.set(parameter.name, read)
    else problems.push(read)
  }
  return problems.length === 0 ? { values } : { problems }
}

function readValue(parameter: TemplateParameter, text: string | undefined): Given | Problem {
  if (text !== undefined) return readText(parameter, text)
  const { name, default: value } = parameter
  if (value !== undefined) return { value, text: String(value) }
  return {
    code: 'PARAMETER_MISSING',
    message: `The parameter ${name} has no value.`,
    hint: `Set it with --set ${name}=${exampleOf(parameter)}`,
  }
}

function exampleOf({ type, allowed }: TemplateParameter): string {
  const [first] = allowed ?? []
  if (first !== undefined) return String(first)
  return type === 'text' ? 'TEXT' : type === 'number' ? 'NUMBER' : 'true'
}

function readText(parameter: TemplateParameter, text: string): Given | Problem {
  const { name, type, allowed } = parameter
  const value = typedValue(type, text)
  if (value === undefined) return misfit(name, { text, hint: TYPE_HINTS[type] })
  if (allowed === undefined || allowed.includes(value)) return { value, text }
  const choices = allowed.map(String)
  const near = nearest(text, choices)
  const listed = `Allowed: ${choices.slice(0, CHOICES_SHOWN).join(', ')}${choices.length > CHOICES_SHOWN ? ', …' : ''}.`
  return misfit(name, { text, hint: near === undefined ? listed : `Did you mean ${near}? ${listed}` })
}

const TYPE_HINTS: Readonly<Record<TemplateParameter['type'], string>> = {
  text: 'It takes valid text of at most 32,768 characters, without control characters.',
  number: 'It takes a number such as 2 or 0.5.',
  boolean: 'It takes true or false.',
}

function typedValue(type: TemplateParameter['type'], text: string): Given['value'] | undefined {
  switch (type) {
    case 'text':
      return text.length <= TEXT_MAX && text.isWellFormed() ? text : undefined
    case 'number':
      return /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER
        ? Number(text)
        : undefined
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
  }
}

function misfit(name: string, { text, hint }: { readonly text: string; readonly hint: string }): Problem {
  const message = `\`${printable(text)}\` does not fit the parameter ${name}.`
  return { code: 'PARAMETER_INVALID', message, found: printable(text), hint }
}
