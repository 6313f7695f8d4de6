import { loadRows } from '../../catalogues/load-offers.ts'
import { entryOf } from '../../core/document/look-up.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import type { GpuRequest } from '../../core/requirement/table.ts'
import { gib } from '../../core/requirement/need/print.ts'
import type { RowVerdict } from '../../core/offer/offer.ts'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import { readFleetFile } from '../../formats/fleet-file/fleet-file.ts'
import { readYaml } from '../../formats/yaml/yaml.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { configFrom, documentFrom, readManifest, readText, type Text } from '../inputs.ts'
import { providerProblems } from './config-providers.ts'
import { answer, sayWarnings, sayWrong, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { printProblems, problemData } from '../print/error.ts'
import { many } from '../../core/base/words.ts'

/** `berth validate`: checks files by themselves, without offers or a control plane. */
export const validate: Register = (program, cli) => {
  program
    .command('validate')
    .description('check manifests, infrastructure files, inventories and fleets, and list every mistake at once')
    .argument('<file...>', 'files to check (- for standard input)')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The key kind says what a file is: service or job (a manifest), config, inventory or fleet. CSV files are inventories.
Exits with 0 when every file is valid and with 3 otherwise.

Examples:
  berth validate llama-70b.yaml
  berth validate workloads/*.yaml berth.config.yaml
  berth validate *.yaml -o json | jq '.[] | select(.valid | not)'`,
    )
    .action((paths: readonly string[], flags: { readonly output: Format }) => {
      const checked = paths.map((path) => check(path, cli))
      const problems = checked.flatMap((file) => file.problems)
      const valid = checked.filter((file) => file.problems.length === 0)
      if (flags.output !== 'text') answer(cli, flags.output, { data: checked.map(reportFile), text: String })
      else {
        for (const { file, summary } of valid) cli.terminal.out(`${file}: ok (${summary})\n`)
        sayWarnings(
          cli,
          flags.output,
          checked.flatMap((file) => file.warnings),
        )
        if (problems.length > 0) sayWrong(cli, printProblems(problems))
      }
      cli.exit(problems.length === 0 ? EXIT.ok : EXIT.invalid)
    })
}

interface CheckedFile {
  readonly file: string
  /** The `kind` in the file; undefined where there is none. */
  readonly kind: string | undefined
  /** Its contents in a few words. */
  readonly summary: string
  readonly problems: readonly SourcedProblem[]
  /** Keys that have no effect yet. */
  readonly warnings: readonly SourcedProblem[]
}

function check(path: string, cli: Cli): CheckedFile {
  let kind: string | undefined
  try {
    const text = readText(path, cli.files)
    kind = kindOf(text)
    return { file: text.file, kind, problems: [], ...contentOf(text, kind, cli) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { file: path, kind, summary: '', problems: error.problems, warnings: [] }
  }
}

/** Throws a UserError with every problem in the file. */
function contentOf(text: Text, kind: string | undefined, cli: Cli): Pick<CheckedFile, 'summary' | 'warnings'> {
  if (kind !== undefined && OTHERS.has(kind)) return { summary: summarise(text, kind, cli), warnings: [] }
  const { manifest, warnings } = readManifest(text)
  return { summary: summariseManifest(manifest), warnings }
}

/** Kinds of files that are not manifests. */
const OTHERS: ReadonlySet<string> = new Set(['config', 'inventory', 'fleet'])

function summarise(text: Text, kind: string | undefined, cli: Cli): string {
  if (kind === 'config') {
    const config = configFrom(text)
    const { providers, policies } = config
    const wrong = providerProblems(config, documentFrom(text))
    if (wrong.length > 0) throw new UserError(wrong)
    return `config, ${many(providers.length, 'provider')}, ${many(policies.length, 'policy', 'policies')}`
  }
  if (kind === 'inventory') return summariseRows(readInventory(text, cli))
  return summariseFleet(text)
}

function kindOf({ file, text }: Text): string | undefined {
  if (file.endsWith('.csv')) return 'inventory'
  const read = readYaml(text, file)
  if ('problems' in read || read.document.root.kind !== 'map') return undefined
  const kind = entryOf(read.document.root, 'kind')?.value
  return kind?.kind === 'scalar' && typeof kind.value === 'string' ? kind.value : undefined
}

/** Reads an inventory the way a plan does, but from the text, since standard input can be read only once. */
function readInventory({ file, text }: Text, cli: Cli): readonly RowVerdict[] {
  const files = { ...cli.files, read: () => new TextEncoder().encode(text) }
  return loadRows([file === 'stdin' ? '-' : file], { files, sources: cli.sources, config: undefined })
}

function summariseRows(rows: readonly RowVerdict[]): string {
  const kept = rows.filter((row) => row.verdict === 'quarantined').length
  return `inventory, ${many(rows.length, 'offer')}${kept === 0 ? '' : `, ${kept} quarantined: see berth offers check`}`
}

function summariseFleet({ file, text }: Text): string {
  const read = readFleetFile(text, file)
  if ('problems' in read) throw new UserError(read.problems)
  return `fleet, ${many(read.fleet.nodes.length, 'node')}, ${many(read.tenants.length, 'tenant')}`
}

function summariseManifest(manifest: Manifest): string {
  const { kind, roles, replicas, nodes, resources } = manifest
  const gang = nodes > 1 ? [many(nodes, 'node')] : []
  if (roles.length === 0) return [kind, count(replicas), ...gang, hardware(resources.gpu)].join(', ')
  return [kind, ...roles.map((role) => `${role.name}: ${count(role.replicas)}, ${hardware(role.resources.gpu)}`)].join(
    '; ',
  )
}

function count({ min, max }: Manifest['replicas']): string {
  return min === max ? many(min, 'replica') : `${min} to ${many(max, 'replica')}`
}

function hardware(gpu: GpuRequest | undefined): string {
  if (gpu === undefined) return 'no GPU'
  const memory = gpu.vramGibMin ?? gpu.usableGibMin
  return `${gpu.count} × GPU${memory === undefined ? '' : ` ≥ ${gib(memory)}`}`
}

function reportFile({ file, kind, problems, warnings }: CheckedFile): unknown {
  const valid = problems.length === 0
  return { file, valid, kind, problems: problemData(problems), warnings: problemData(warnings) }
}
