import type { ErrorDoc } from '../core/base/error-doc.ts'

/** What can be wrong around a command: its files and what it is pointed at. */
export const COMMAND_ERRORS = {
  COMMAND_LINE: {
    title: 'the command line is wrong',
    why: 'A command, a flag or an argument is not known, is missing, or has a value that it cannot have.',
    fix: 'The message names it; `berth COMMAND --help` has every flag, with examples.',
  },
  BUG: {
    title: 'a bug in Berth',
    why: 'Something happened that must not happen, whatever the input was.',
    fix: 'Please report it with the text that was printed.',
  },
  FILE_MISSING: {
    title: 'no such file',
    why: 'A file named on the command line is not there or cannot be read.',
    fix: 'Check the path and its permissions; `-` reads from standard input where a manifest is expected.',
  },
  FILE_NOT_WRITTEN: {
    title: 'file cannot be written',
    why: 'The folder does not exist, or may not be written to.',
    fix: 'Create the folder or choose another; nothing was written.',
  },
  FILE_IN_THE_WAY: {
    title: 'another file is in the way',
    why: 'The file to be written exists and holds something that Berth did not write, perhaps your manifest.',
    fix: 'Choose another name for `--save` or `--to`, or remove the file first.',
  },
  OFFERS_MISSING: {
    title: 'no offers given',
    why: 'A decision needs something to choose from, and neither the command line nor the infrastructure file names any offers.',
    fix: 'Give `--offers PATH`, or name `offers` for a provider in berth.config.yaml. `berth plan` can also ask a control plane: start one with `berth up`, or give `--url`.',
  },
  PLAN_UNREADABLE: {
    title: 'not a saved plan',
    why: 'A saved plan is a JSON file with its offers in a second file beside it; one of them is missing, damaged or something else.',
    fix: 'Copy both files together, or save the plan again with `berth plan … --save FILE`. A plan that a control plane made has no offers beside it: it can be applied and compared, not replayed.',
  },
  CODE_UNKNOWN: {
    title: 'no such code',
    why: '`berth explain` was asked about a code that Berth never prints.',
    fix: 'Copy the code from the message; `berth explain` without a code lists them all.',
  },
  LISTEN_INVALID: {
    title: 'no address to listen on',
    why: '`berth up --listen` takes the name or address of this machine and a port, and what was given is not that.',
    fix: 'Write HOST:PORT, for example `127.0.0.1:7700`; port 0 takes a free one.',
  },
  LISTEN_INSECURE: {
    title: 'tokens would cross the network in the clear',
    why: 'The address can be reached from other machines, and whoever is between reads every token and every secret that is set.',
    fix: 'Give a certificate with `--tls-cert` and `--tls-key`, or listen on 127.0.0.1 behind a proxy that speaks TLS, or say `--insecure-listen` where the network itself is trusted.',
  },
  TLS_UNFIT: {
    title: 'certificate or key cannot be used',
    why: 'A file of `--tls-cert` or `--tls-key` cannot be read or holds something else, the certificate has expired, the key is not its own, or others can read the key.',
    fix: '`--tls-cert` holds the chain in PEM form with the server’s own certificate first, `--tls-key` its private key without a passphrase, with mode 600. The message names the file.',
  },
  LISTEN_TAKEN: {
    title: 'the address is taken',
    why: 'Another program listens on this port, perhaps another control plane.',
    fix: 'Stop the other one, or choose another port with `--listen HOST:PORT`; port 0 takes a free one.',
  },
  CONTROL_PLANE_UNKNOWN: {
    title: 'no control plane known',
    why: 'The command talks to a control plane, and nothing says where one listens: no flag, no BERTH_URL, and no connection file of `berth up`.',
    fix: 'Start one with `berth up`, which writes the connection file, or give `--url` and `--token-file`, or set BERTH_URL and BERTH_TOKEN.',
  },
  CONTEXT_UNKNOWN: {
    title: 'no such context',
    why: 'A context is a control plane that this user has logged in to, under a name. There is none of this name, or a context cannot be called so.',
    fix: '`berth context ls` lists them, `berth login URL --name NAME` makes one, and `here` is the control plane of `berth up` on this machine.',
  },
  CONNECTION_UNREADABLE: {
    title: 'connection cannot be used',
    why: 'The connection file, the token file or the address of the control plane does not hold what it should.',
    fix: 'A connection file is JSON with `url` and `token`, a token file holds the token alone, and an address begins with http:// or https://. `berth up` writes the connection file anew.',
  },
  CONFIRMATION_MISSING: {
    title: 'nobody there to ask',
    why: 'The command asks before it goes on, and input or output is not a terminal.',
    fix: 'Add `--yes` once you are sure.',
  },
  PLAN_OTHER: {
    title: 'plan is of another manifest',
    why: 'A saved plan binds the manifest that it was made for, and another one was given beside it.',
    fix: 'Leave the manifest out: it is part of the saved plan. Or plan the new one with `berth plan … --save FILE`.',
  },
  SECRET_EMPTY: {
    title: 'secret without a value',
    why: 'The value of a secret is read from standard input or a file, and there was nothing in it.',
    fix: 'Pipe the value in, or name a file with `--from-file`; `berth secret rm` removes a secret.',
  },
  SETTING_MALFORMED: {
    title: 'setting is not a name and a value',
    why: 'A setting on the command line or in a settings file does not have the form that it needs.',
    fix: 'Write `--set name=value`; a settings file is a YAML map.',
  },
} as const satisfies Record<string, ErrorDoc>
