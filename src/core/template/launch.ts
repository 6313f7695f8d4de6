import type { DocNode, SourceDocument } from '../document/document.ts'
import { sourced } from '../document/look-up.ts'
import type { TemplateParameter } from './parameter.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { parseManifest } from '../manifest/parse.ts'
import type { SourcedProblem } from '../base/problem.ts'
import { piecesOf } from './places.ts'
import { renderTemplate } from './render.ts'
import { readTemplate, type ReadTemplate, type Template } from './template.ts'
import { readValues, type Given } from './values.ts'
import { yamlText } from './yaml-text.ts'

export interface TemplateLaunch {
  readonly set: Readonly<Record<string, string>>
  /** Name of the workload; undefined for the name in the template. */
  readonly name: string | undefined
}

export type LaunchResult =
  | { readonly manifest: Manifest; readonly text: string }
  | { readonly problems: readonly SourcedProblem[] }

/** The manifest of a launch, and its text. Problems refer to lines of the template. */
export function launchTemplate(template: Template, { set, name }: TemplateLaunch): LaunchResult {
  const read = readValues(template.parameters, set)
  if ('problems' in read) return read
  const rendered = renderTemplate(template, read.values)
  if ('problem' in rendered) return { problems: sourced([rendered.problem], template.body) }
  const document = name === undefined ? rendered.document : named(rendered.document, name)
  const parsed = parseManifest(document)
  return 'problems' in parsed ? parsed : { manifest: parsed.manifest, text: yamlText(document.root) }
}

/**
 * A template that may be stored: every parameter is declared and used, and the result is a valid manifest once values
 * are filled in. Parameters without a default or allowed values are tried with a sample, and problems at their
 * placeholders are ignored.
 */
export function checkTemplate(document: SourceDocument): ReadTemplate {
  const read = readTemplate(document)
  if ('problems' in read) return read
  const { template } = read
  const values = new Map(template.parameters.map((parameter) => [parameter.name, sampleOf(parameter)]))
  const rendered = renderTemplate(template, values)
  if ('problem' in rendered) return { problems: sourced([rendered.problem], document) }
  const parsed = parseManifest(rendered.document)
  if ('manifest' in parsed) return read
  const isOpen = openLines(template)
  const problems = parsed.problems.filter(({ code, place }) => {
    if (isOpen.size === 0) return true
    return !DEPENDS.has(code) && !(place !== undefined && isOpen.has(`${place.line}:${place.column}`))
  })
  return problems.length === 0 ? read : { problems }
}

/** Problems between two values, which mean nothing when one of them is a sample. */
const DEPENDS: ReadonlySet<string> = new Set(['VALUE_CONFLICT', 'KEY_NEEDS', 'KEY_REPEATED', 'KEY_WRONG_KIND'])

const SAMPLES = {
  text: { value: 'sample', text: 'sample' },
  number: { value: 1, text: '1' },
  boolean: { value: true, text: 'true' },
} as const satisfies Record<TemplateParameter['type'], Given>

function knownValue({ default: value, allowed }: TemplateParameter): Given['value'] | undefined {
  return value ?? allowed?.[0]
}

function sampleOf(parameter: TemplateParameter): Given {
  const value = knownValue(parameter)
  return value === undefined ? SAMPLES[parameter.type] : { value, text: String(value) }
}

/** The places of scalars whose value is not known before a launch. */
function openLines({ parameters, body }: Template): ReadonlySet<string> {
  const open = new Set(parameters.filter((one) => knownValue(one) === undefined).map(({ name }) => name))
  const lines = new Set<string>()
  const visit = (node: DocNode): void => {
    if (node.kind === 'map') for (const { value } of node.entries) visit(value)
    else if (node.kind === 'list') for (const item of node.items) visit(item)
    else if (typeof node.value === 'string') {
      const isOpen = piecesOf(node.value).some((piece) => piece.kind === 'place' && open.has(piece.name))
      if (isOpen) lines.add(`${node.at.line}:${node.at.column}`)
    }
  }
  if (open.size > 0) visit(body.root)
  return lines
}

/** Every manifest has a name, so this only replaces it. */
function named(document: SourceDocument, name: string): SourceDocument {
  const { root } = document
  if (root.kind !== 'map') return document
  const entries = root.entries.map((entry) => {
    if (entry.key !== 'name' || entry.value.kind !== 'scalar') return entry
    return { ...entry, value: { ...entry.value, value: name, text: name } }
  })
  return { ...document, root: { ...root, entries } }
}
