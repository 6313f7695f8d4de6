import { gatewayAddress } from './address.ts'
import { Option, type Command } from 'commander'
import type { Cli, GatewayFlags, Register } from '../cli.ts'
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
  berth gateway status
  berth gateway stop`,
    )
    .action(async (flags: GatewayFlags & RemoteFlags) => {
      cli.exit(await cli.gateway({ ask: 'run', flags, berth: () => berthOf(cli, flags) }))
    })
  about(command, cli, { ask: 'status', says: 'show the gateways of this machine: address, process, routes' })
  about(command, cli, { ask: 'stop', says: 'stop the gateways of this machine, after what is under way' })
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
