import { parseAllDocuments } from 'yaml'
import type { SourcedProblem } from '../core/base/problem.ts'
import { sourced } from '../core/document/look-up.ts'
import { placeAt, sourceOf } from './source.ts'

/** Objects of a cluster as `kubectl get … -o json` or `-o yaml` writes them, or what is wrong with the file. */
export type ClusterFile = { readonly values: readonly unknown[] } | { readonly problems: readonly SourcedProblem[] }

/** YAML takes a hundred times as long as JSON to read. */
const YAML_BYTES_MAX = 16 * 1024 ** 2

/** Reads JSON of any size, and YAML of one or several documents. It does not look at what the objects are. */
export function readClusterFile(bytes: Uint8Array, file: string): ClusterFile {
  const text = decoded(bytes)
  if (text === undefined) return refuse(file, `${file} is not text in UTF-8.`, HOW)
  if (text.trim() === '') return refuse(file, `${file} is empty.`, HOW)
  const json = fromJson(text)
  if (json !== undefined) return { values: [json.value] }
  if (bytes.length > YAML_BYTES_MAX)
    return refuse(file, `${file} is not JSON, and too large to be read as YAML.`, 'Write it with -o json.')
  return fromYaml(text, file)
}

const HOW = 'Write it with: kubectl get nodes,pods,resourceslices -A -o json'

function refuse(file: string, message: string, hint: string): ClusterFile {
  return { problems: [{ code: 'NODES_UNREADABLE', message, found: file, hint }] }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function fromJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function fromYaml(text: string, file: string): ClusterFile {
  const documents = parseAllDocuments(text, {
    schema: 'core',
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
  })
  if (!Array.isArray(documents)) return refuse(file, `${file} holds no document.`, HOW)
  const [error] = documents.flatMap(({ errors }) => errors)
  if (error !== undefined) {
    const source = sourceOf(text, file)
    const place = placeAt(source, error.pos[0], error.pos[1])
    const message = `This is neither JSON nor YAML: ${(error.message.split('\n')[0] ?? '').replace(/\.?$/, '.')}`
    return { problems: sourced([{ code: 'NODES_UNREADABLE', message, place, hint: HOW }], source) }
  }
  try {
    return { values: documents.map((document): unknown => document.toJS({ maxAliasCount: 100 })) }
  } catch {
    return refuse(file, `${file} has too many aliases to be read.`, 'Write it with -o json.')
  }
}
