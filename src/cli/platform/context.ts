import type { Cli, Register } from '../cli.ts'
import { connectionIn } from './connection.ts'
import { contextNamed, HERE, readContexts, saveContexts } from './contexts.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { yesUnused } from '../terminal/ask.ts'
import { table } from '../terminal/table.ts'

interface Flags {
  readonly output: Format
}

/** One row of the list. */
interface ContextView {
  readonly name: string
  readonly url: string | undefined
  readonly current: boolean
}

/** `berth context`: the control plane that commands talk to. */
export const context: Register = (program, cli) => {
  const command = program
    .command('context')
    .description('list, choose and forget the control planes that commands talk to')
  for (const register of [ls, use, show, rm]) register(command, cli)
}

const ls: Register = (program, cli) => {
  program
    .command('ls')
    .description('list contexts; * marks the current one')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  berth context ls')
    .action((flags: Flags) => {
      const views = viewsOf(cli)
      answer(cli, flags.output, { data: views, text: () => printContexts(views) })
    })
}

const use: Register = (program, cli) => {
  program
    .command('use')
    .description(`choose the current context; \`${HERE}\` is the control plane of this machine`)
    .argument('<context>', 'name of the context')
    .addOption(outputOption())
    .addHelpText('after', `\nExamples:\n  berth context use lab\n  berth context use ${HERE}`)
    .action((name: string, flags: Flags) => {
      contextNamed(name, cli)
      saveContexts({ ...readContexts(cli), current: name === HERE ? undefined : name }, cli)
      const view = viewsOf(cli).find((one) => one.current)
      const where = view?.url === undefined ? 'the control plane of this machine, once `berth up` runs' : view.url
      answer(cli, flags.output, {
        data: view ?? { name },
        text: () => `Commands now go to ${where} (context ${name}).`,
      })
    })
}

const show: Register = (program, cli) => {
  program
    .command('show')
    .description('show the current context, without its token')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  berth context show\n  berth context show -o json | jq -r .url')
    .action((flags: Flags) => {
      const named = cli.env('BERTH_CONTEXT')
      if (named !== undefined) contextNamed(named, cli)
      const views = viewsOf(cli)
      const view = views.find(({ name, current }) => (named === undefined ? current : name === named))
      const name = view?.name ?? HERE
      const data = { name, url: view?.url }
      answer(cli, flags.output, {
        data,
        text: () => `${name}  ${view?.url ?? 'no control plane has been started on this machine yet'}`,
      })
    })
}

const rm: Register = (program, cli) => {
  program
    .command('rm')
    .description('forget a context and its token; the token itself stays valid')
    .argument('<context>', 'name of the context')
    .addOption(yesUnused())
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  berth context rm lab')
    .action((name: string, flags: Flags) => {
      contextNamed(name, cli)
      const { current, contexts } = readContexts(cli)
      const left = new Map([...contexts].filter(([other]) => other !== name))
      saveContexts({ current: current === name ? undefined : current, contexts: left }, cli)
      const back = current === name ? ` Commands go to the control plane of this machine (${HERE}) again.` : ''
      const text = `Context ${name} is forgotten.${back} Its token stays valid until it expires or is revoked (berth token rm).`
      answer(cli, flags.output, { data: { name, removed: true }, text: () => text })
    })
}

function viewsOf(cli: Cli): readonly ContextView[] {
  const { current, contexts } = readContexts(cli)
  const own = connectionIn(cli)
  return [
    { name: HERE, url: own?.url, current: current === undefined },
    ...[...contexts].map(([name, { url }]) => ({ name, url, current: current === name })),
  ]
}

function printContexts(views: readonly ContextView[]): string {
  const rows = views.map(({ name, url, current }) => [
    current ? '*' : '',
    name,
    url ?? 'this machine, once berth up runs',
  ])
  return table([{ head: '' }, { head: 'NAME' }, { head: 'ADDRESS' }], rows).join('\n')
}
