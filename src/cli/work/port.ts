import { InvalidArgumentError } from 'commander'
import { UserError } from '../../core/base/problem.ts'
import { refuse } from '../../core/base/refuse.ts'
import type { Berth } from '../../ports/berth.ts'
import type { LocalConnection } from '../../ports/here.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'

interface PortFlags extends ProjectFlags {
  readonly slot?: string
}

/** `berth port`: a port of a workload, on this machine. */
export const port: Register = (program, cli) => {
  remoteInProject(
    program
      .command('port')
      .description('make a port of a running workload available on this machine, until Ctrl-C')
      .argument('<name>', 'name of the workload')
      .argument('<port>', 'PORT[:LOCAL], the port there and the one here (default: the same; 0: any)', portPair)
      .option('--slot <slot>', 'slot to connect to, as `berth get` shows it; required if several run'),
  )
    .addHelpText(
      'after',
      `
Only programs on this machine can connect. Connections go through the control plane, so the workload needs no public
address. After a replica was replaced, new connections go to the new one. Kubernetes reaches every port of a pod, all
other providers those that the manifest names. It needs the role writer in the project and is recorded in the audit log.

Examples:
  berth port llama-70b 8000
  berth port llama-70b 8000:18000 --slot 1`,
    )
    .action((name: string, pair: PortPair, flags: PortFlags) => portIt({ name, ...pair }, flags, cli))
}

interface PortPair {
  readonly port: number
  readonly local: number
}

function portPair(text: string): PortPair {
  const [, there = '', here = there] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(text) ?? []
  const pair = { port: Number(there), local: Number(here) }
  if (there !== '' && pair.port >= 1 && pair.port <= 65_535 && pair.local <= 65_535) return pair
  throw new InvalidArgumentError('Write a port, or two with a colon: 8000 or 8000:18000.')
}

type Open = () => ReturnType<Berth['port']>

async function portIt({ name, port: there, local }: PortPair & { readonly name: string }, flags: PortFlags, cli: Cli) {
  const stop = cli.interrupt()
  const berth = berthOf(cli, flags)
  const ask = { project: projectOf(cli, flags), name, slot: flags.slot, port: there }
  const open: Open = () => berth.port(ask, stop)
  // The first one is for nobody: what is wrong is better said now than at the first connection.
  ;(await open()).close()
  const serve = (connection: LocalConnection): void => void relay(cli, connection, open)
  const listening = await cli.here.listen(local, serve, stop)
  if (typeof listening === 'string')
    throw refuse(
      'LISTEN_TAKEN',
      `Port ${local} of this machine cannot be used (${listening}).`,
      `Choose another one: berth port ${name} ${there}:0 takes any that is free.`,
    )
  const data = { name, port: there, local: listening.port }
  const text = () => `127.0.0.1:${data.local} leads to port ${there} of ${name} until Ctrl-C.`
  answer(cli, flags.output, { data, text })
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }))
  cli.exit(EXIT.interrupted)
}

/** Carries one connection, and says why if it cannot be carried. */
async function relay(cli: Cli, connection: LocalConnection, open: Open): Promise<void> {
  try {
    const tunnel = await open()
    void upstream(connection, tunnel)
    for await (const bytes of tunnel.output) await connection.write(bytes)
    connection.end()
    await tunnel.ended
  } catch (error) {
    connection.close()
    if (!(error instanceof UserError)) throw error
    for (const { message } of error.problems) cli.terminal.err(`${message}\n`)
  }
}

async function upstream(connection: LocalConnection, tunnel: Awaited<ReturnType<Open>>): Promise<void> {
  try {
    for await (const bytes of connection.input) await tunnel.write(bytes)
    tunnel.end()
  } catch {
    // The program here has cut it off.
    tunnel.close()
  }
}
