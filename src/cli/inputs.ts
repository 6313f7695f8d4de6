import { parseConfig } from '../core/policy/parse.ts'
import type { Config } from '../core/policy/policy.ts'
import type { SourceDocument } from '../core/document/document.ts'
import { sourced } from '../core/document/look-up.ts'
import { FILTER_NAMES } from '../core/requirement/filter/all-filters.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import { parseManifest, type ReadManifest } from '../core/manifest/parse.ts'
import { UserError } from '../core/base/problem.ts'
import { SCORE_NAMES } from '../core/requirement/score/all-scores.ts'
import { isSnapshot } from '../formats/snapshot-file.ts'
import { readPast } from '../formats/yaml/on.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import { inOrder } from '../core/document/in-order.ts'
import { unclaimed } from '../core/manifest/claims.ts'
import type { Files } from '../ports/files.ts'

/** The infrastructure file that is used when no other is named. */
export const CONFIG_FILE = 'berth.config.yaml'

/** The text of a file the user named, kept so that a plan can be replayed from it. */
export interface Text {
  readonly file: string
  readonly text: string
}

/** The contents of a file as text. Throws a UserError when there is no such file. */
export function readText(path: string, files: Files): Text {
  const bytes = files.read(path)
  if (files.list(path) !== undefined) throw notText(path, `${path} is a folder, not a file.`)
  if (bytes !== undefined && isSnapshot(bytes)) throw notText(path, `${path} is a snapshot of offers.`)
  if (bytes === undefined) {
    const hint = 'Check the path; `-` reads from standard input.'
    throw new UserError([{ code: 'FILE_MISSING', message: `There is no file ${path} to read.`, found: path, hint }])
  }
  const file = path === '-' ? 'stdin' : path
  return { file, text: decode(bytes, file) }
}

function notText(path: string, message: string): UserError {
  const hint = 'Give a manifest or an infrastructure file here; offers go with --offers.'
  return new UserError([{ code: 'FILE_MISSING', message, found: path, hint }])
}

/** The manifest. Throws a UserError with every problem in it. */
export function manifestFrom(source: Text): Manifest {
  return readManifest(source).manifest
}

/** The manifest and its warnings. Throws a UserError with every problem in it. */
export function readManifest(source: Text): ReadManifest {
  const parsed = parseManifest(manifestDocument(source))
  if ('problems' in parsed) throw new UserError(parsed.problems)
  return parsed
}

/** A manifest with anchors or a second document is refused, together with every other problem in it. */
function manifestDocument(source: Text): SourceDocument {
  const read = readYaml(source.text, source.file)
  if ('document' in read) return read.document
  const past = readPast(source.text, source.file)
  if (past === undefined) throw new UserError(read.problems)
  const { document, problems } = past
  const parsed = parseManifest(document)
  const others = 'problems' in parsed ? unclaimed(parsed.problems, problems, document) : []
  throw new UserError(inOrder([...problems, ...others.filter(({ found }) => found !== '<<')]))
}

/** The infrastructure file. Throws a UserError with every problem in it. */
export function configFrom(source: Text): Config {
  const document = documentFrom(source)
  const parsed = parseConfig(document, { scores: [...SCORE_NAMES], filters: [...FILTER_NAMES] })
  if ('problems' in parsed) throw new UserError(sourced(parsed.problems, document))
  return parsed.value
}

/** The infrastructure file the user named, else the one in the current folder, else none. */
export function findConfig(path: string | undefined, files: Files): Text | undefined {
  if (path !== undefined) return readText(path, files)
  return files.read(CONFIG_FILE) === undefined ? undefined : readText(CONFIG_FILE, files)
}

/** Throws a UserError with everything that is wrong with the text as YAML. */
export function documentFrom({ file, text }: Text): SourceDocument {
  const read = readYaml(text, file)
  if ('problems' in read) throw new UserError(read.problems)
  return read.document
}

/** For bytes that are not UTF-8, the YAML reader reports the problem, because it knows the place. */
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const read = readYaml(bytes, file)
    throw new UserError('problems' in read ? read.problems : [])
  }
}
