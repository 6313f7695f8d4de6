import { Option } from 'commander'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import type { KeyFlag } from '../../core/requirement/key.ts'
import { GPU, MACHINE } from '../../core/requirement/table.ts'
import { manifestFrom } from '../inputs.ts'

/** A flag and the manifest key it stands for. */
interface NeedFlag {
  /** `min-vram`, as after `--`. */
  readonly name: string
  readonly value: string
  readonly says: string
  readonly key: string
  readonly under: 'gpu' | 'resources' | 'workload'
  readonly type: 'text' | NonNullable<KeyFlag['type']>
}

const FLAGS: readonly NeedFlag[] = [
  ...GPU.keys.map(({ key, flag }) => flagOf(key, flag, 'gpu')),
  ...MACHINE.keys.map(({ key, flag }) => flagOf(key, flag, 'resources')),
  {
    name: 'nodes',
    value: 'n',
    says: 'number of machines needed at the same time',
    key: 'nodes',
    under: 'workload',
    type: 'number',
  },
  {
    name: 'policy',
    value: 'name',
    says: 'policy of the infrastructure file to apply',
    key: 'policy',
    under: 'workload',
    type: 'text',
  },
]

function flagOf(key: string, flag: KeyFlag, under: NeedFlag['under']): NeedFlag {
  const { name = key.replaceAll('_', '-'), value, says, type = 'text' } = flag
  return { name, value, says, key, under, type }
}

/** Values as written on the command line, by commander's name for the flag. */
export type NeedFlags = Readonly<Record<string, unknown>>

export function needOptions(): readonly Option[] {
  return FLAGS.map(({ name, value, says }) => new Option(`--${name} <${value}>`, says))
}

/**
 * The manifest that asks for what the flags say. It is written as YAML and parsed like any other, so that a flag means
 * exactly what its key means and is checked just as strictly.
 */
export function manifestFromFlags(flags: NeedFlags): Manifest {
  try {
    return manifestFrom(textFromFlags(flags))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const lines = manifestLines(flags)
    throw new UserError(error.problems.map((problem) => withoutPlace(problem, lines)))
  }
}

/** The same manifest as YAML text. */
export function textFromFlags(flags: NeedFlags): { readonly file: string; readonly text: string } {
  const lines = manifestLines(flags).map(({ text }) => text)
  return { file: 'flags', text: lines.join('\n') }
}

interface Line {
  readonly text: string
  readonly flag: string | undefined
}

function manifestLines(flags: NeedFlags): readonly Line[] {
  const given = FLAGS.flatMap((flag) => {
    const value = flags[new Option(`--${flag.name}`).attributeName()]
    return typeof value === 'string' ? [{ ...flag, value }] : []
  })
  const under = (place: NeedFlag['under'], indent: string): readonly Line[] =>
    given
      .filter((flag) => flag.under === place)
      .map((flag) => ({ text: `${indent}${flag.key}: ${written(flag)}`, flag: `--${flag.name} ${flag.value}` }))
  const gpu = under('gpu', '    ')
  const resources = under('resources', '  ')
  return [
    ...['berth: v1', 'kind: job', 'name: search', 'image: search'].map(plain),
    ...under('workload', ''),
    plain(gpu.length + resources.length === 0 ? 'resources: {}' : 'resources:'),
    ...resources,
    ...(gpu.length === 0 ? [] : [plain('  gpu:'), ...gpu]),
  ]
}

function plain(text: string): Line {
  return { text, flag: undefined }
}

/** Quoted, so that whatever the user writes can only be the value of its key. */
function written({ type, value }: Pick<NeedFlag, 'type' | 'value'>): string {
  if (type === 'number') return scalar(value)
  if (type === 'list' && value.includes(',')) return JSON.stringify(value.split(',').map((word) => word.trim()))
  return type === 'map' ? mapOf(value) : JSON.stringify(value)
}

/** `fp16=900,fp8=1500` is a map; anything else is left to the schema to refuse. */
function mapOf(value: string): string {
  const pairs = value.split(',').map((pair) => /^([a-z0-9_]+)=([^=]+)$/.exec(pair.trim()))
  if (pairs.includes(null)) return JSON.stringify(value)
  return `{ ${pairs.map((pair) => `${pair?.[1]}: ${scalar(pair?.[2] ?? '')}`).join(', ')} }`
}

function scalar(value: string): string {
  return /^\d+(\.\d+)?$/.test(value) ? value : JSON.stringify(value)
}

function withoutPlace({ place, code, message, hint, found }: SourcedProblem, lines: readonly Line[]): SourcedProblem {
  const flag = place === undefined ? undefined : lines[place.line - 1]?.flag
  return {
    code,
    message: flag === undefined ? message : `${flag}: ${message}`,
    ...(hint !== undefined && { hint }),
    ...(found !== undefined && { found }),
  }
}
