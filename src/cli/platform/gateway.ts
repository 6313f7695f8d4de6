import { gatewayAddress } from './address.ts'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Cli, GatewayFlags, HaproxyFlags, Register } from '../cli.ts'
import { outputOption } from '../output.ts'
import { berthOf, remote } from '../remote.ts'
import type { RemoteFlags } from '../remote.ts'

/** `berth gateway`: one stable address for every service. */
export const gateway: Register = (program, cli) => {
  const command = remote(
    program.command('gateway').description('serve every service at one stable address, whatever happens behind it'),
  )
  command
    .option('--listen <host:port>', 'address to listen on', gatewayAddress, '127.0.0.1:7800')
    .option('--data <dir>', 'data folder, for the last known routes (default: your data folder)')
    .option('--metrics <host:port>', 'serve figures for Prometheus at /metrics of this address')
    .option('--tls-cert <file>', 'serve TLS with this certificate chain (PEM), reloaded when it changes')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .option('--share-port', 'let several gateways of this machine listen on the same address')
    .addOption(
      new Option('--log <format>', 'format of the log on standard error').choices(['json', 'text']).default('text'),
    )
    .addOption(new Option('--predecessor <pid>', 'process that hands its socket over').hideHelp())
    .addHelpText(
      'after',
      `
A service answers by path, http://HOST:PORT/PROJECT/NAME/, and by host, NAME.PROJECT.anything. The routes come from the
control plane; while it is away, and over restarts, the gateway goes on with the last ones it knew. SIGTERM ends it after
what is under way. berth up --gateway HOST:PORT starts one and keeps it running.

Examples:
  berth gateway --listen 127.0.0.1:7800
  berth gateway --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem --metrics 127.0.0.1:9100
  berth gateway haproxy /var/lib/berth/haproxy
  berth gateway status
  berth gateway stop`,
    )
    .action(async (flags: GatewayFlags & RemoteFlags) => {
      cli.exit(await cli.gateway({ ask: 'run', flags, berth: () => berthOf(cli, flags) }))
    })
  haproxy(command, cli)
  about(command, cli, { ask: 'status', says: 'show the gateways of this machine: address, process, routes' })
  about(command, cli, { ask: 'stop', says: 'stop the gateways of this machine, after what is under way' })
}

/** As many as a HAProxy of this size can be looked at several times a second. */
const SEATS_MAX = 1024

function seats(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > SEATS_MAX)
    throw new InvalidArgumentError(`Write a whole number from 1 to ${SEATS_MAX}.`)
  return count
}

function haproxy(command: Command, cli: Cli): void {
  command
    .command('haproxy')
    .description('keep the routes of a HAProxy up to date, without a reload')
    .argument('<dir>', 'folder for the configuration, the map and the socket of HAProxy')
    .option('--services <count>', 'how many services it has room for', seats, 64)
    .option('--replicas <count>', 'how many replicas of each it has room for', seats, 16)
    .addHelpText(
      'after',
      `
Writes DIR/berth.cfg, with which HAProxy is started, and tells a running HAProxy through DIR/haproxy.sock what changes. HAProxy goes on
with its routes while this, or the control plane, is away. --listen, --log and the address of the control plane are those of berth gateway.

Examples:
  berth gateway haproxy /var/lib/berth/haproxy --listen 0.0.0.0:80
  haproxy -f /var/lib/berth/haproxy/berth.cfg`,
    )
    .action(async (folder: string, _: unknown, self: Command) => {
      const flags = self.optsWithGlobals<HaproxyFlags & RemoteFlags>()
      cli.exit(await cli.gateway({ ask: 'haproxy', flags: { ...flags, folder }, berth: () => berthOf(cli, flags) }))
    })
}

interface Asking {
  readonly ask: 'status' | 'stop'
  readonly says: string
}

function about(command: Command, cli: Cli, { ask, says }: Asking): void {
  command
    .command(ask)
    .description(says)
    .option('--data <dir>', 'data folder of berth up or berth gateway (default: your data folder)')
    .addOption(outputOption())
    .addHelpText('after', `\nExamples:\n  berth gateway ${ask}\n  berth gateway ${ask} --data /var/lib/berth -o json`)
    .action(async (_: unknown, self: Command) => {
      cli.exit(await cli.gateway({ ask, flags: self.optsWithGlobals<GatewayFlags>() }))
    })
}
