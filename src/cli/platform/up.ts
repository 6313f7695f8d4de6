import type { UpFlags, Register } from '../cli.ts'
import { Option } from 'commander'
import { outputOption } from '../output.ts'

/** `berth up`: the control plane itself. */
export const up: Register = (program, cli) => {
  program
    .command('up')
    .description('start the control plane: it keeps what is applied running until it is told otherwise')
    .addOption(new Option('--data <dir>', 'folder for its database, keys and providers (default: your data folder)'))
    .addOption(new Option('--database <url>', 'a PostgreSQL that several control planes share').env('BERTH_DATABASE'))
    .option('--config <file>', 'infrastructure file (default: berth.config.yaml, if there is one here; else this host)')
    .option('--listen <host:port>', 'where to listen; port 0 takes a free one', '127.0.0.1:7700')
    .option('--tls-cert <file>', 'answer over TLS with this certificate chain (PEM), read again when it changes')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .option('--insecure-listen', 'listen beyond this machine without TLS though tokens cross the network in the clear')
    .option('--vault-key <file>', 'key that secrets are sealed with (default: vault.key in the data folder)')
    .option('--host <name...>', 'names it is called by beside this machine’s own, as in the Host header')
    .option('--dev', 'development: callers on this machine need no token')
    .option(
      '--new-store',
      'begin anew where the database of this folder is gone; what the old one runs is left to itself',
    )
    .addOption(new Option('--log <format>', 'how to log to standard error').choices(['json', 'text']).default('text'))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Ctrl-C or SIGTERM ends it cleanly, and kill -9 loses nothing: what runs goes on running, and the next start takes it up.

Listening beyond this machine takes TLS. The names in the certificate are answered for, as those of --host are. The files are
looked at every second, and at SIGHUP; a pair that is not fit is told in the log, and the one before stays in use.

Examples:
  berth up
  berth up --config platform/berth.config.yaml --data /var/lib/berth --log json
  berth up --database postgres://berth@db/berth --host berth.example.com
  berth up --listen 0.0.0.0:7700 --tls-cert /etc/berth/chain.pem --tls-key /etc/berth/key.pem`,
    )
    .action(async (flags: UpFlags) => cli.exit(await cli.up(flags)))
}
