import { Option } from 'commander'
import { UserError } from '../../core/base/problem.ts'
import { classify } from './classify.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import type { Berth, ProviderCheck, ProviderView } from '../../ports/berth.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { settingsFrom } from '../settings.ts'
import { table } from '../terminal/table.ts'
import { many, number, plain } from '../../core/base/words.ts'
import { ago, priceCell } from '../words/keep.ts'
import { keepKey, keyOptions, type KeyFlags } from './key.ts'
import { keepKubeconfig } from './kubeconfig.ts'

/** `berth provider`: the places where workloads can run. */
export const provider: Register = (program, cli) => {
  const command = program
    .command('provider')
    .description('add, list, test and remove the places where workloads can run')
  for (const register of [add, ls, test, classify, rm]) register(command, cli)
}

interface AddFlags extends RemoteFlags, KeyFlags {
  readonly set?: readonly string[]
  readonly settings?: string
  readonly kubeconfig?: string
  readonly namespace?: string
}

const add: Register = (program, cli) => {
  const command = program.command('add')
  for (const option of keyOptions()) command.addOption(option)
  remote(
    command
      .description('add a provider, with its key from a file, a variable or standard input, and check that it works')
      .argument('<name>', 'name for the new provider')
      .requiredOption('--kind <kind>', 'kind of provider, for example local, sim or runpod')
      .option('--set <name=value...>', 'settings of the provider')
      .option('--settings <file>', 'file with the settings, in YAML')
      .option('--credential <name>', 'platform secret that holds its credential (berth secret set NAME --platform)')
      .addOption(
        new Option(
          '--kubeconfig <file>',
          'with kind kubernetes: kubeconfig whose content becomes its credential',
        ).conflicts('credential'),
      )
      .option('--namespace <name>', 'with kind kubernetes: the namespace to run in (default: that of the context)'),
  )
    .addHelpText(
      'after',
      `
Examples:
  berth provider add here --kind local --set runtime=process
  berth provider add toy --kind sim --settings sim.yaml
  berth provider add pods --kind runpod --key-env RUNPOD_API_KEY
  berth provider add pods --kind runpod --key-file - < key.txt
  berth provider add lab --kind kubernetes --kubeconfig ~/.kube/config --context lab --namespace ml

A cloud needs its key; without a flag for it, the key is asked for or read from standard input. It is kept encrypted as a platform
secret, tried with calls that cost nothing, and never shown. The same command with another key replaces it, without a restart.

With --kubeconfig, --context is a context of that file, and BERTH_CONTEXT says which control plane is meant.`,
    )
    .action(async (name: string, flags: AddFlags) => {
      const { kind, namespace } = flags
      const stated = settingsFrom(flags.settings, flags.set ?? [], cli)
      const settings = { ...stated, ...(namespace !== undefined && { namespace }) }
      const { context, ...rest } = flags
      const berth = berthOf(cli, flags.kubeconfig === undefined ? flags : rest)
      const credential =
        flags.kubeconfig === undefined
          ? await keepKey(name, flags, { berth, cli })
          : await keepKubeconfig({ provider: name, file: flags.kubeconfig, context }, berth, cli)
      const view = await berth.addProvider({ name, kind, settings, ...(credential && { credential }) })
      const checks = await checksSoon(name, berth, cli)
      const text = (): string => {
        const found = checks === undefined ? '' : `\n${printChecks(name, checks)}\n`
        return `Provider ${view.name} (${view.kind}) is added.\n${found}\nNext:  berth provider test ${view.name}`
      }
      answer(cli, flags.output, { data: view, text })
      if (checks?.every(({ ok }) => ok) === false) cli.exit(EXIT.notDone)
    })
}

const LOOKS = 20
const LOOK_MS = 500

/** A control plane opens a new provider at its next turn. Undefined: it has not by now. */
async function checksSoon(name: string, berth: Berth, cli: Cli): Promise<readonly ProviderCheck[] | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    try {
      return await berth.testProvider({ name })
    } catch (error) {
      if (!(error instanceof UserError) || error.problems[0]?.code !== 'NOT_FOUND') throw error
      await cli.timers.sleep(LOOK_MS)
    }
  }
  return undefined
}

const ls: Register = (program, cli) => {
  remote(program.command('ls').description('list providers: whether they answer, how much they offer and run'))
    .addHelpText('after', '\nExamples:\n  berth provider ls\n  berth provider ls -o json | jq .[].name')
    .action(async (flags: RemoteFlags) => {
      const views = await berthOf(cli, flags).providers()
      answer(cli, flags.output, { data: views, text: () => printProviders(views, cli) })
    })
}

function printProviders(views: readonly ProviderView[], cli: Cli): string {
  if (views.length === 0) return 'There are no providers yet.\n\nNext:  berth provider add here --kind local'
  const nowMs = cli.clock.nowMs()
  const columns = [
    { head: 'NAME' },
    { head: 'KIND' },
    { head: 'STATE' },
    { head: 'ANSWERS' },
    { head: 'LAST' },
    { head: 'OFFERS', align: 'right' as const },
    { head: 'INSTANCES', align: 'right' as const },
    { head: '$/h', align: 'right' as const },
    { head: 'FROM' },
  ]
  const rows = views.map((view) => [
    view.name,
    view.kind,
    view.state,
    view.reachable === undefined ? '?' : view.reachable ? 'yes' : 'no',
    view.last_answer_ms === undefined ? '?' : ago(view.last_answer_ms, nowMs),
    number(view.offers),
    number(view.instances),
    priceCell(view.usd_per_hour, view.instances > 0),
    view.origin === 'unknown' ? '?' : view.origin,
  ])
  const faults = views.flatMap(({ name, reachable, last_fault: fault }) =>
    reachable === false && fault !== undefined ? [`${name}: ${plain(fault)}`] : [],
  )
  const hints = views.flatMap(({ name, hint }) => (hint === undefined ? [] : [`${name}: ${plain(hint)}`]))
  return [...table(columns, rows), ...(faults.length + hints.length === 0 ? [] : ['', ...faults, ...hints])].join('\n')
}

const test: Register = (program, cli) => {
  remote(
    program
      .command('test')
      .description('run every check on a provider that costs nothing, and show the results')
      .argument('<name>', 'name of the provider'),
  )
    .addHelpText('after', '\nExits with 4 when a check fails.\n\nExamples:\n  berth provider test here')
    .action(async (name: string, flags: RemoteFlags) => {
      const checks = await berthOf(cli, flags).testProvider({ name })
      answer(cli, flags.output, { data: checks, text: () => printChecks(name, checks) })
      cli.exit(checks.every(({ ok }) => ok) ? EXIT.ok : EXIT.notDone)
    })
}

function printChecks(name: string, checks: readonly ProviderCheck[]): string {
  const failed = checks.filter(({ ok }) => !ok).length
  const head =
    failed === 0 ? `${name} passes all checks.` : `${name} fails ${failed} of ${many(checks.length, 'check')}.`
  const columns = [{ head: 'CHECK' }, { head: '' }, { head: 'TOOK', align: 'right' as const }, { head: '' }]
  const rows = checks.map(({ check, ok, text, took_ms: took }) => [
    check,
    ok ? 'ok' : 'FAILED',
    `${Math.round(took)} ms`,
    plain(text),
  ])
  return [head, '', ...table(columns, rows)].join('\n')
}

interface RmFlags extends RemoteFlags {
  readonly yes?: boolean
}

const rm: Register = (program, cli) => {
  remote(
    program
      .command('rm')
      .description('remove a provider as soon as nothing runs there any more')
      .argument('<name>', 'name of the provider')
      .addOption(yesOption()),
  )
    .addHelpText('after', '\nExamples:\n  berth provider rm toy')
    .action(async (name: string, flags: RmFlags) => {
      const text = `Remove provider ${name}? It takes no new work. Workloads with drain in migration.on move; it is removed when the rest has ended.`
      const isSettled = flags.yes === true
      if (!(await isConfirmed(cli, { text, usually: 'no', isSettled, output: flags.output }))) return
      const view = await berthOf(cli, flags).removeProvider({ name })
      const said =
        view.state !== 'removing'
          ? 'is removed'
          : view.instances === 0
            ? 'takes no new work and is removed as soon as it confirms that nothing runs there (berth provider ls)'
            : `takes no new work and is removed once ${many(view.instances, 'instance')} there ${view.instances === 1 ? 'has' : 'have'} ended`
      answer(cli, flags.output, { data: view, text: () => `${name} ${said}.` })
    })
}
