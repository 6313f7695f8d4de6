import { gatewayAddress } from './address.ts'
import type { UpFlags, Register } from '../cli.ts'
import { Option, type Command } from 'commander'
import { outputOption } from '../output.ts'

/** `berth up`: the control plane itself. */
export const up: Register = (program, cli) => {
  const command = program
    .command('up')
    .description('start the control plane, which keeps applied workloads running')
    .addOption(new Option('--data <dir>', 'folder for database, keys and providers (default: your data folder)'))
    .addOption(
      new Option('--database <url>', 'PostgreSQL database that several control planes can share').env('BERTH_DATABASE'),
    )
    .option(
      '--config <file>',
      'infrastructure file (default: berth.config.yaml in the current folder, else this host is the only provider)',
    )
    .option('--listen <host:port>', 'address to listen on; port 0 picks a free port', '127.0.0.1:7700')
    .option('--tls-cert <file>', 'serve TLS with this certificate chain (PEM), reloaded when it changes')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .option(
      '--insecure-listen',
      'listen beyond this machine without TLS, although tokens then cross the network in clear text',
    )
    .option('--vault-key <file>', 'key that encrypts secrets (default: vault.key in the data folder)')
    .option('--host <name...>', 'further host names to answer for, as in the Host header')
    .option('--dev', 'development mode: callers on this machine need no token')
    .option(
      '--new-store',
      'start with an empty database when that of the folder is gone; what the old one ran is abandoned',
    )
    .option(
      '--record <file>',
      'record what the controller learns and decides, for `berth debug replay`; at most 256 MiB, for your eyes only',
    )
  gatewayOptions(command)
  command
    .addOption(
      new Option('--log <format>', 'format of the log on standard error').choices(['json', 'text']).default('text'),
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Ctrl-C or SIGTERM stops it cleanly, and kill -9 loses nothing: workloads keep running, and the next start takes them over.

The gateway of --gateway is a process of its own: it keeps serving while the control plane is stopped or killed, and the
next start takes it over. To end it: berth gateway stop.

Listening beyond this machine requires TLS. The control plane answers for the names in the certificate and for those of
--host. The files are checked every second and on SIGHUP; an invalid pair is logged, and the previous one stays in use.

Examples:
  berth up
  berth up --gateway 127.0.0.1:7800
  berth up --gateway 0.0.0.0:443 --gateway-tls-cert chain.pem --gateway-tls-key key.pem --gateway-url https://*.example.com
  berth up --config platform/berth.config.yaml --data /var/lib/berth --log json
  berth up --database postgres://berth@db/berth --host berth.example.com
  berth up --listen 0.0.0.0:7700 --tls-cert /etc/berth/chain.pem --tls-key /etc/berth/key.pem`,
    )
    .action(async (flags: UpFlags) => cli.exit(await cli.up(flags)))
}

function gatewayOptions(command: Command): void {
  command
    .option('--gateway <host:port>', 'serve every service here, by a gateway that outlives berth up', gatewayAddress)
    .option(
      '--gateway-url <url>',
      'address of the gateway as callers use it, such as https://*.example.com (default: that of --gateway)',
    )
    .option(
      '--gateway-tls-cert <file>',
      'let the gateway serve TLS with this certificate chain (PEM), reloaded when it changes',
    )
    .option('--gateway-tls-key <file>', 'private key of that certificate (PEM)')
    .option(
      '--gateway-metrics <host:port>',
      'serve figures of the gateway for Prometheus here, at /metrics',
      gatewayAddress,
    )
}
