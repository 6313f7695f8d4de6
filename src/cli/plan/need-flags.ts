import { Option } from 'commander'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import { manifestFrom } from '../inputs.ts'

/** A flag and the manifest key it stands for. */
interface NeedFlag {
  /** `min-vram`, as after `--`. */
  readonly name: string
  readonly value: string
  readonly says: string
  readonly key: string
  readonly under: 'gpu' | 'resources' | 'workload'
  readonly type: 'text' | 'number' | 'list'
}

const FLAGS: readonly NeedFlag[] = [
  { name: 'gpu-count', value: 'n', says: 'number of cards in one machine', key: 'count', under: 'gpu', type: 'number' },
  {
    name: 'min-vram',
    value: 'amount',
    says: 'memory of each card as advertised, for example 80Gi',
    key: 'min_vram',
    under: 'gpu',
    type: 'text',
  },
  {
    name: 'min-usable-vram',
    value: 'amount',
    says: 'memory of each card as its driver reports it, for example 79Gi',
    key: 'min_usable_vram',
    under: 'gpu',
    type: 'text',
  },
  {
    name: 'arch',
    value: 'names',
    says: 'GPU architectures, for example hopper or hopper,blackwell',
    key: 'arch',
    under: 'gpu',
    type: 'list',
  },
  {
    name: 'vendor',
    value: 'names',
    says: 'GPU vendors, or any (default: nvidia)',
    key: 'vendor',
    under: 'gpu',
    type: 'list',
  },
  {
    name: 'min-compute-capability',
    value: 'version',
    says: 'lowest compute capability, for example 9.0',
    key: 'min_compute_capability',
    under: 'gpu',
    type: 'text',
  },
  {
    name: 'min-driver',
    value: 'version',
    says: 'oldest driver, for example 550',
    key: 'min_driver',
    under: 'gpu',
    type: 'text',
  },
  {
    name: 'min-cuda',
    value: 'version',
    says: 'oldest CUDA version, for example 12.4',
    key: 'min_cuda',
    under: 'gpu',
    type: 'text',
  },
  {
    name: 'interconnect',
    value: 'kind',
    says: 'links between cards: any, pcie, nvlink or nvswitch',
    key: 'interconnect',
    under: 'gpu',
    type: 'text',
  },
  {
    name: 'sharing',
    value: 'kind',
    says: 'whether slices of cards will do: never, mig or any',
    key: 'sharing',
    under: 'gpu',
    type: 'text',
  },
  { name: 'cpu', value: 'cores', says: 'CPU cores, for example 16', key: 'cpu', under: 'resources', type: 'number' },
  {
    name: 'memory',
    value: 'amount',
    says: 'memory of the machine, for example 64Gi',
    key: 'memory',
    under: 'resources',
    type: 'text',
  },
  {
    name: 'disk',
    value: 'amount',
    says: 'disk space, for example 500Gi',
    key: 'disk',
    under: 'resources',
    type: 'text',
  },
  {
    name: 'host-arch',
    value: 'names',
    says: 'CPU architectures: amd64, arm64 (default: amd64)',
    key: 'host_arch',
    under: 'resources',
    type: 'list',
  },
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
  if (type === 'number' && /^\d+(\.\d+)?$/.test(value)) return value
  if (type === 'list' && value.includes(',')) return JSON.stringify(value.split(',').map((word) => word.trim()))
  return JSON.stringify(value)
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
