import type { ErrorDoc } from '../core/base/error-doc.ts'

/** Errors of commands: in their flags, their files and their connection. */
export const COMMAND_ERRORS = {
  COMMAND_LINE: {
    title: 'the command line is wrong',
    why: 'A command, a flag or an argument is unknown or missing, or has an invalid value.',
    fix: 'The message names it; `berth COMMAND --help` lists every flag, with examples.',
  },
  BUG: {
    title: 'a bug in Berth',
    why: 'Something happened that must never happen, whatever the input.',
    fix: 'Please report it with the printed text.',
  },
  PRICE_TOO_HIGH: {
    title: 'the plan costs more than you allow',
    why: 'The plan of today costs more than `--max-price` says.',
    fix: 'Nothing was changed. Raise `--max-price`, loosen what the manifest requires, or try again later.',
  },
  FILE_MISSING: {
    title: 'no such file',
    why: 'A file named on the command line does not exist or cannot be read.',
    fix: 'Check the path and its permissions; `-` reads from standard input where a manifest is expected.',
  },
  FILE_NOT_WRITTEN: {
    title: 'file cannot be written',
    why: 'The folder does not exist or is not writable.',
    fix: 'Nothing was written. Create the folder or choose another.',
  },
  FILE_IN_THE_WAY: {
    title: 'another file is in the way',
    why: 'The file to write already exists and was not written by Berth. It may be your manifest.',
    fix: 'Choose another name for `--save` or `--to`, or remove the file first.',
  },
  OFFERS_MISSING: {
    title: 'no offers given',
    why: 'A plan needs offers to choose from, and neither the command line nor the infrastructure file names any.',
    fix: 'Give `--offers PATH`, or name `offers` for a provider in berth.config.yaml. `berth plan` can also ask a control plane: start one with `berth up`, or give `--url`.',
  },
  NODES_UNREADABLE: {
    title: 'no nodes to read',
    why: '`berth offers check --nodes` reads what kubectl writes about nodes, as JSON or YAML, and this file is something else or holds no Node.',
    fix: 'Write one with `kubectl get nodes,pods,resourceslices -A -o json > nodes.json`. A node that cannot be read stops no other.',
  },
  PLAN_UNREADABLE: {
    title: 'not a saved plan',
    why: 'A saved plan is a JSON file with its offers in a second file next to it; one of them is missing, damaged or a different kind of file.',
    fix: 'Copy both files together, or save the plan again with `berth plan … --save FILE`. A plan made by a control plane has no file of offers: it can be applied and compared, but not replayed.',
  },
  RECORDING_UNREADABLE: {
    title: 'not a recording',
    why: '`berth debug replay` reads a file that `berth up --record FILE` has written, and this file is something else, or is damaged.',
    fix: 'Record again with `berth up --record FILE`. The message names the line; the lines before it can be replayed on their own.',
  },
  CODE_UNKNOWN: {
    title: 'no such code',
    why: '`berth explain` was asked about a code that Berth never prints.',
    fix: 'Copy the code from the message; `berth explain` without a code lists all of them.',
  },
  LISTEN_INVALID: {
    title: 'invalid address to listen on',
    why: '`berth up --listen` takes a name or address of this machine and a port, and the given value is not that.',
    fix: 'Write HOST:PORT, for example `127.0.0.1:7700`; port 0 picks a free port.',
  },
  LISTEN_INSECURE: {
    title: 'tokens would cross the network in clear text',
    why: 'The address can be reached from other machines, and anyone on the network in between could read tokens and secrets.',
    fix: 'Give a certificate with `--tls-cert` and `--tls-key`, or listen on 127.0.0.1 behind a proxy that speaks TLS, or add `--insecure-listen` if the network itself is trusted.',
  },
  TLS_UNFIT: {
    title: 'certificate or key cannot be used',
    why: 'A file of `--tls-cert` or `--tls-key` cannot be read or has other contents, the certificate has expired, the key does not match it, or other users can read the key.',
    fix: '`--tls-cert` must hold the chain in PEM form with the server’s own certificate first, and `--tls-key` its private key without a passphrase, with mode 600. The message names the file.',
  },
  LISTEN_TAKEN: {
    title: 'the address is taken',
    why: 'Another program already listens on this port, perhaps another control plane.',
    fix: 'Stop the other one, or choose another port with `--listen HOST:PORT`; port 0 picks a free port.',
  },
  GATEWAY_MISSING: {
    title: 'flags of a gateway without a gateway',
    why: 'A certificate or an address for figures is given for the gateway of `berth up`, and there is no gateway.',
    fix: 'Say where the gateway listens with `--gateway HOST:PORT`, or leave the other flags out.',
  },
  CONTROL_PLANE_UNKNOWN: {
    title: 'no control plane known',
    why: 'The command talks to a control plane, and nothing says where one listens: no flag, no BERTH_URL, and no connection file of `berth up`.',
    fix: 'Start one with `berth up`, which writes the connection file, or give `--url` and `--token-file`, or set BERTH_URL and BERTH_TOKEN.',
  },
  CONTEXT_UNKNOWN: {
    title: 'no such context',
    why: 'A context is a control plane that this user has logged in to, under a name. There is none with this name, or the name is not valid.',
    fix: '`berth context ls` lists contexts, `berth login URL --name NAME` creates one, and `here` is the control plane of `berth up` on this machine.',
  },
  CONNECTION_UNREADABLE: {
    title: 'connection cannot be used',
    why: 'The connection file, the token file or the address of the control plane has the wrong form.',
    fix: 'A connection file is JSON with `url` and `token`, a token file holds the token alone, and an address begins with http:// or https://. `berth up` writes a new connection file.',
  },
  CONFIRMATION_MISSING: {
    title: 'confirmation missing',
    why: 'The command asks for a confirmation, and input or output is not a terminal.',
    fix: 'Add `--yes` to confirm.',
  },
  SYNC_FAILED: {
    title: 'files could not be copied',
    why: 'The folder cannot be read, the files could not be unpacked where the workload runs, or its replica went away.',
    fix: 'The message says which. What was copied stays; run the command again.',
  },
  PLAN_OTHER: {
    title: 'plan is for another manifest',
    why: 'A saved plan applies only to the manifest it was made for, and another manifest was given with it.',
    fix: 'Leave the manifest out: it is part of the saved plan. Or plan the new one with `berth plan … --save FILE`.',
  },
  SECRET_EMPTY: {
    title: 'secret without a value',
    why: 'The value of a secret is read from standard input or a file, which was empty.',
    fix: 'Pipe the value in, or name a file with `--from-file`; `berth secret rm` removes a secret.',
  },
  SETTING_MALFORMED: {
    title: 'setting is not a name and a value',
    why: 'A setting on the command line or in a settings file has the wrong form.',
    fix: 'Write `--set name=value`; a settings file is a YAML map.',
  },
} as const satisfies Record<string, ErrorDoc>
