import { Argument } from 'commander'
import type { TemplateView } from '../../ports/berth.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { readText } from '../inputs.ts'
import { templateRef, type TemplateRef } from './launch.ts'
import { diffText, wholeDiff } from './whole-diff.ts'
import { answer } from '../output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { ago } from '../words/keep.ts'
import { plain } from '../../core/base/words.ts'

/** `berth template`: manifests with parameters, stored under a name and a version. */
export const template: Register = (program, cli) => {
  const command = program.command('template').description('push, list, show, compare and remove launch templates')
  for (const register of [push, ls, show, diff, rm]) register(command, cli)
}

const push: Register = (program, cli) => {
  remoteInProject(
    program
      .command('push')
      .description('store a manifest with parameters as the next version of a template')
      .argument('<name>', 'name of the template')
      .argument('<file>', 'manifest with `parameters`, and ${name} where a value goes (- for standard input)'),
  )
    .addHelpText(
      'after',
      `
If the text is the same as the newest version, no new version is stored.

Examples:
  berth template push vllm vllm-template.yaml`,
    )
    .action(async (name: string, file: string, flags: ProjectFlags) => {
      const berth = berthOf(cli, flags)
      const { text } = readText(file, cli.files)
      const view = await berth.pushTemplate({ project: projectOf(cli, flags), name, text })
      const sets = view.parameters.filter((one) => one.default === undefined).map((one) => ` --set ${one.name}=...`)
      const said = `${view.name}@${view.version} is stored.\n\nNext:  berth launch ${name}${sets.join('')}${projectFlag(flags)}`
      answer(cli, flags.output, { data: view, text: () => said })
    })
}

const ls: Register = (program, cli) => {
  remoteInProject(program.command('ls').description('list templates with their newest version'))
    .addHelpText('after', '\nExamples:\n  berth template ls')
    .action(async (flags: ProjectFlags) => {
      const views = await berthOf(cli, flags).templates({ project: projectOf(cli, flags) })
      answer(cli, flags.output, { data: views, text: () => printTemplates(views, flags, cli) })
    })
}

function printTemplates(views: readonly TemplateView[], flags: ProjectFlags, cli: Cli): string {
  if (views.length === 0)
    return `Project ${projectOf(cli, flags)} has no templates.\n\nNext:  berth template push NAME FILE${projectFlag(flags)}`
  const columns = [
    { head: 'NAME' },
    { head: 'VERSION', align: 'right' as const },
    { head: 'PUSHED' },
    { head: 'BY' },
    { head: 'PARAMETERS' },
  ]
  const rows = views.map((view) => [
    view.name,
    `${view.version}`,
    ago(view.created_ms, cli.clock.nowMs()),
    plain(view.created_by),
    view.parameters.map(({ name }) => name).join(', ') || '-',
  ])
  return table(columns, rows).join('\n')
}

const show: Register = (program, cli) => {
  remoteInProject(
    program
      .command('show')
      .description('show a template: its parameters and its text')
      .argument('<template>', 'NAME or NAME@VERSION', templateRef),
  )
    .addHelpText('after', '\nExamples:\n  berth template show vllm\n  berth template show vllm@3 -o json | jq -r .text')
    .action(async (ref: TemplateRef, flags: ProjectFlags) => {
      const at = { project: projectOf(cli, flags), name: ref.name }
      const view = await berthOf(cli, flags).template({ ...at, version: ref.version })
      answer(cli, flags.output, { data: view, text: () => printTemplate(view, cli), lines: 'as-is' })
    })
}

function printTemplate(view: TemplateView, cli: Cli): string {
  const head = `${view.name}@${view.version}, pushed ${ago(view.created_ms, cli.clock.nowMs())} by ${plain(view.created_by)}`
  const columns = [{ head: 'PARAMETER' }, { head: 'TYPE' }, { head: 'DEFAULT' }, { head: 'ALLOWED' }, { head: '' }]
  const rows = view.parameters.map(({ name, type, default: usual, allowed, description }) => [
    name,
    type,
    usual === undefined ? 'required' : String(usual),
    allowed === undefined ? 'any' : allowed.join(', '),
    plain(description ?? ''),
  ])
  const parameters = rows.length === 0 ? ['It has no parameters.'] : table(columns, rows)
  const text = view.text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
  return [head, '', ...parameters, '', ...text].join('\n')
}

const diff: Register = (program, cli) => {
  remoteInProject(
    program
      .command('diff')
      .description('compare two versions of a template, or a version and a file')
      .argument('<template>', 'NAME, or NAME@VERSION to compare from (default: the previous version)', templateRef)
      .argument('[version or file]', 'version or file to compare with (default: the newest version)'),
  )
    .addHelpText(
      'after',
      `
Exits with 1 when they differ.

Examples:
  berth template diff vllm
  berth template diff vllm@2 5
  berth template diff vllm vllm-template.yaml`,
    )
    .action(async (ref: TemplateRef, other: string | undefined, flags: ProjectFlags) => {
      const { from, into } = await sidesOf(ref, { other, flags, cli })
      const lines = wholeDiff(from.text, into.text)
      const isSame = lines.every(({ kind }) => kind === 'same')
      const text = (): string =>
        isSame
          ? `${from.name} and ${into.name} are the same.`
          : [`${from.name} -> ${into.name}`, '', ...diffText(lines)].join('\n')
      answer(cli, flags.output, {
        data: { from: from.name, into: into.name, same: isSame, lines },
        text,
        lines: 'as-is',
      })
      cli.exit(isSame ? EXIT.ok : EXIT.differs)
    })
}

interface Comparing {
  readonly other: string | undefined
  readonly flags: ProjectFlags
  readonly cli: Cli
}

interface Side {
  readonly name: string
  readonly text: string
}

async function sidesOf(ref: TemplateRef, { other, flags, cli }: Comparing): Promise<{ from: Side; into: Side }> {
  const berth = berthOf(cli, flags)
  const at = { project: projectOf(cli, flags), name: ref.name }
  const side = async (version: number | undefined): Promise<Side & { readonly version: number }> => {
    const view = await berth.template({ ...at, version })
    return { name: `${view.name}@${view.version}`, text: view.text, version: view.version }
  }
  if (other !== undefined && !/^\d+$/.test(other)) {
    const { file, text } = readText(other, cli.files)
    return { from: await side(ref.version), into: { name: file, text } }
  }
  const into = await side(other === undefined ? undefined : Number(other))
  return { from: await side(ref.version ?? Math.max(1, into.version - 1)), into }
}

interface RmFlags extends ProjectFlags {
  readonly yes?: boolean
}

const rm: Register = (program, cli) => {
  remoteInProject(
    program
      .command('rm')
      .description('remove a template or one version of it; workloads launched from it keep running')
      .addArgument(new Argument('<template>', 'NAME for all versions, or NAME@VERSION').argParser(templateRef))
      .addOption(yesOption()),
  )
    .addHelpText('after', '\nExamples:\n  berth template rm vllm@2\n  berth template rm vllm --yes')
    .action(async (ref: TemplateRef, flags: RmFlags) => {
      const what = ref.version === undefined ? `every version of ${ref.name}` : `${ref.name}@${ref.version}`
      const question = { text: `Remove ${what}?`, usually: 'no' as const, isSettled: flags.yes === true }
      if (!(await isConfirmed(cli, { ...question, output: flags.output }))) return
      const at = { project: projectOf(cli, flags), name: ref.name }
      await berthOf(cli, flags).removeTemplate({ ...at, version: ref.version })
      const data = { ...at, version: ref.version, removed: true }
      answer(cli, flags.output, { data, text: () => `Removed ${what}. Workloads launched from it keep running.` })
    })
}
