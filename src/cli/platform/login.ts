import { UserError } from '../../core/base/problem.ts'
import { Secret } from '../../ports/secret.ts'
import type { Cli, Register, Target } from '../cli.ts'
import { address, certificatesIn } from './connection.ts'
import { CONTEXT_FORM, HERE, readContexts, saveContexts } from './contexts.ts'
import { readText } from '../inputs.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { withWhose } from '../remote.ts'

interface LoginFlags {
  readonly tokenStdin?: boolean
  readonly tokenFile?: string
  readonly name?: string
  readonly ca?: string
  readonly output: Format
}

/** `berth login`: makes a control plane the one that commands talk to. */
export const login: Register = (program, cli) => {
  program
    .command('login')
    .description('save a control plane and a token for it, and use it for all further commands')
    .argument('<url>', 'address of the control plane')
    .option('--token-stdin', 'read the token from standard input (the default)')
    .option('--token-file <file>', 'read the token from a file')
    .option('--name <name>', 'name of the context (default: the host of the address)')
    .option('--ca <file>', 'certificates (PEM) to trust: the control plane’s own, or those that signed it')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The token is checked first, then saved in contexts.json, which only you can read. An admin creates tokens with
berth token create NAME. To go back to the control plane of this machine: berth context use ${HERE}

Examples:
  printf %s "$TOKEN" | berth login https://berth.example.com --token-stdin
  berth login https://10.0.0.5:7700 --token-file ada.token --name lab --ca lab-ca.pem`,
    )
    .action((url: string, flags: LoginFlags) => logIn(url, flags, cli))
}

async function logIn(url: string, flags: LoginFlags, cli: Cli): Promise<void> {
  const to = address(url)
  const name = flags.name ?? new URL(to).hostname
  checkName(name)
  const ca = flags.ca === undefined ? undefined : certificatesIn(flags.ca, cli)
  if (flags.tokenFile === undefined && cli.prompt !== undefined)
    cli.terminal.err('Paste the token, then press Enter and Ctrl-D.\n')
  const token = readText(flags.tokenFile ?? '-', cli.files).text.trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw noToken()
  const target: Target = { url: to, token: new Secret(token), ...(ca !== undefined && { ca }), context: name }
  const { version } = await withWhose(cli.berth(target), target).info()
  const { contexts } = readContexts(cli)
  const all = new Map([...contexts, [name, { url: to, token, ...(ca !== undefined && { ca }) }] as const])
  saveContexts({ current: name, contexts: all }, cli)
  const text = `Commands now go to ${to} (context ${name}, Berth ${version}).\n\nNext:  berth ps      berth context ls`
  answer(cli, flags.output, { data: { name, url: to, version }, text: () => text })
}

function checkName(name: string): void {
  if (CONTEXT_FORM.test(name) && name !== HERE) return
  const message =
    name === HERE ? `The name ${HERE} is reserved for this machine.` : 'This is not a valid name for a context.'
  const hint = 'Give another one with --name: lower-case letters, digits, dots and dashes.'
  throw new UserError([{ code: 'COMMAND_LINE', message, found: name, hint }])
}

function noToken(): UserError {
  const message = 'There is no token: it must be one line of printable ASCII characters without spaces.'
  const hint = 'Pipe it in, or give --token-file. An admin creates tokens with `berth token create NAME`.'
  return new UserError([{ code: 'CONNECTION_UNREADABLE', message, hint }])
}
