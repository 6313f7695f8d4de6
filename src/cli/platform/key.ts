import { Option } from 'commander'
import { UserError } from '../../core/base/problem.ts'
import type { Berth } from '../../ports/berth.ts'
import { CLASSIFIERS } from '../../providers/replies.ts'
import type { Cli } from '../cli.ts'
import { valueFrom } from './secret-value.ts'

/** Where the key of a provider comes from. */
export interface KeyFlags {
  readonly kind: string
  readonly credential?: string
  readonly keyFile?: string
  readonly keyEnv?: string
}

export function keyOptions(): readonly Option[] {
  return [
    new Option('--key-file <file>', 'file with its key; - is standard input').conflicts(['credential', 'keyEnv']),
    new Option('--key-env <variable>', 'environment variable with its key').conflicts('credential'),
  ]
}

/** Kinds that have a credential of another form, or work without one. */
const OTHERS: ReadonlySet<string> = new Set(['kubernetes', 'aws'])

/** Whether a provider of this kind can do nothing without a key. */
function isKeyed(kind: string): boolean {
  return Object.hasOwn(CLASSIFIERS, kind) && !OTHERS.has(kind)
}

/**
 * Puts the key of a provider into the vault of the control plane and returns the name of the platform secret. Undefined: it needs
 * none, or names one that is there. The value is never on the command line, and nothing prints it.
 */
export async function keepKey(
  provider: string,
  flags: KeyFlags,
  { berth, cli }: { readonly berth: Berth; readonly cli: Cli },
): Promise<string | undefined> {
  const { kind, credential, keyFile, keyEnv } = flags
  const isAsked = keyFile === undefined && keyEnv === undefined
  if (credential !== undefined || (isAsked && !isKeyed(kind))) return credential
  const value = keyEnv === undefined ? fromInput(provider, keyFile, cli) : fromVariable(keyEnv, cli)
  const name = `KEY_${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
  await berth.setPlatformSecret({ name, value })
  return name
}

function fromInput(provider: string, file: string | undefined, cli: Cli): string {
  if (file === undefined && cli.prompt !== undefined)
    cli.terminal.err(`Type or paste the key for ${provider}, then press Enter and Ctrl-D.\n`)
  return valueFrom(file ?? '-', cli).value.trim()
}

function fromVariable(variable: string, { env }: Cli): string {
  const value = env(variable)?.trim()
  if (value !== undefined && value !== '') return value
  const message = `The environment variable ${variable} is not set or empty.`
  throw new UserError([{ code: 'SECRET_EMPTY', message, hint: 'Export it, or name a file with --key-file.' }])
}
