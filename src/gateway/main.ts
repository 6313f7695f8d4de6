import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { EXIT, type GatewayAsk, type GatewayFlags } from '../cli/cli.ts'
import { makeLog } from '../cli/log.ts'
import type { GatewayDeps } from './deps.ts'
import { askGateway, type GatewayStatus } from './control.ts'
import { followWithHaproxy } from './haproxy/main.ts'
import { runGateway, settingsOf } from './run.ts'

/** `berth gateway`. */
export async function gateway(asked: GatewayAsk, deps: GatewayDeps): Promise<number> {
  if (asked.ask === 'haproxy') return followWithHaproxy(asked, deps)
  const data = baseFolder(asked.flags.data, deps.env)
  if (asked.ask !== 'run') return tell(asked.ask, { data, flags: asked.flags }, deps)
  const { flags, berth } = asked
  const { terminal, timers, random } = deps
  return runGateway(
    { ...flags, data: gatewayFolder(data, flags.listen) },
    {
      open: (signal) => berth().routes({ follow: true }, signal),
      log: makeLog({ write: terminal.err, format: flags.log }),
      timers,
      id: random.id,
      out: terminal.out,
      settings: settingsOf(flags),
    },
  )
}

/** The data folder, as `berth up` finds it. */
function baseFolder(data: string | undefined, env: (name: string) => string | undefined): string {
  const home = env('HOME')
  const share = env('XDG_DATA_HOME') ?? (home === undefined ? undefined : `${home}/.local/share`)
  return resolve(data ?? (share === undefined ? '.berth' : `${share}/berth`))
}

/** The folder of the gateway at an address, inside a data folder. */
export function gatewayFolder(data: string, listen: string): string {
  return join(data, 'gateway', listen.replaceAll(/[^A-Za-z0-9.]+/g, '-').replace(/^-/, ''))
}

/** The gateways that run out of a data folder. */
export async function gatewaysOf(data: string): Promise<readonly GatewayStatus[]> {
  const folder = join(data, 'gateway')
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const folders = names.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  const all = await Promise.all(folders.map((one) => askGateway(one, { ask: 'status' })))
  return all.filter((one) => one !== undefined)
}

interface Told {
  readonly data: string
  readonly flags: Pick<GatewayFlags, 'output'>
}

async function tell(ask: 'status' | 'stop', { data, flags }: Told, { terminal }: GatewayDeps): Promise<number> {
  const found = await gatewaysOf(data)
  if (ask === 'stop') for (const { pid } of found) process.kill(pid, 'SIGTERM')
  const items = found.map(({ pid, listen, services, connections, connected }) => ({
    pid,
    listen,
    services,
    connections,
    connected,
  }))
  if (flags.output === 'json') terminal.out(`${JSON.stringify(items, undefined, 2)}\n`)
  else if (flags.output === 'yaml') terminal.out(stringify(items))
  else if (found.length === 0)
    terminal.out(`No gateway runs out of ${data}.\n\nNext:  berth up --gateway 127.0.0.1:7800\n`)
  else terminal.out(found.map((one) => line(one, ask)).join(''))
  return found.length === 0 && ask === 'stop' ? EXIT.notFound : EXIT.ok
}

function line({ listen, pid, services, connections, connected }: GatewayStatus, ask: 'status' | 'stop'): string {
  if (ask === 'stop') return `${listen}: process ${pid} stops after what is under way\n`
  const feed = connected ? 'routes up to date' : 'the control plane is away, last known routes'
  return `${listen}: process ${pid}, services: ${services}, connections: ${connections}, ${feed}\n`
}
