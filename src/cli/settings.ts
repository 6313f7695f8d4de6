import type { SourceDocument } from '../core/document/document.ts'
import { toPlain } from '../core/document/plain.ts'
import { UserError } from '../core/base/problem.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import type { Cli } from './cli.ts'
import { readText } from './inputs.ts'

type Settings = Readonly<Record<string, unknown>>

/** The values of `--set name=value` as text; the last one of a name wins. */
export function textsFrom(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(pairFrom))
}

/** Settings from a YAML file, then from `--set`, whose values are read as YAML: `3` is a number, `[a, b]` a list. */
export function settingsFrom(file: string | undefined, pairs: readonly string[], cli: Cli): Settings {
  const base = file === undefined ? {} : mapIn(file, cli)
  const said = pairs.map(pairFrom).map(([name, value]) => [name, valueOf(value)] as const)
  return { ...base, ...Object.fromEntries(said) }
}

function pairFrom(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=')
  const name = pair.slice(0, Math.max(0, at))
  if (/^[A-Za-z_][\w.-]*$/.test(name) && name !== '__proto__') return [name, pair.slice(at + 1)]
  // The message does not repeat the pair, which may hold a secret value.
  const message = at < 0 ? 'A --set value has no = in it.' : `A --set value has no valid name before its =.`
  throw new UserError([{ code: 'COMMAND_LINE', message, hint: 'Write --set name=value.' }])
}

function mapIn(path: string, cli: Cli): Settings {
  const { file, text } = readText(path, cli.files)
  const value = plainFrom(text, file)
  if (isMap(value)) return value
  const message = `${file} is not a map of settings.`
  throw new UserError([{ code: 'SETTING_MALFORMED', message, found: file, hint: 'Write one `name: value` per line.' }])
}

function isMap(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text that is not valid YAML or has several lines is taken literally. */
function valueOf(text: string): unknown {
  if (text === '' || text.includes('\n')) return text
  const read = readYaml(`value: ${text}`, '--set')
  if ('problems' in read) return text
  const value = plainOf(read.document)
  return isMap(value) ? value['value'] : text
}

function plainFrom(text: string, file: string): unknown {
  const read = readYaml(text, file)
  if ('problems' in read) throw new UserError(read.problems)
  return plainOf(read.document)
}

function plainOf({ root }: SourceDocument): unknown {
  return structuredClone(toPlain(root, []))
}
