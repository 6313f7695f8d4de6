import { UserError } from '../../core/base/problem.ts'
import { nearest } from '../../core/document/nearest.ts'
import type { Cli } from '../cli.ts'
import { configFolder } from './config-folder.ts'

/** A control plane that the user has logged in to. */
export interface Context {
  readonly url: string
  readonly token: string
  /** Certificates, in PEM, that signed the control plane's own; left out: those the system trusts. */
  readonly ca?: string
}

/** Every context of this user, and the one that commands use. */
export interface Contexts {
  /** Undefined: the control plane of `berth up` on this machine. */
  readonly current: string | undefined
  readonly contexts: ReadonlyMap<string, Context>
}

/** The name of the control plane of `berth up` on this machine, which needs no login. */
export const HERE = 'here'

export const CONTEXT_FORM = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/

const CONTEXTS_FILE = 'contexts.json'

type Deps = Pick<Cli, 'files' | 'env'>

/** The saved contexts; empty when none were saved. */
export function readContexts({ files, env }: Deps): Contexts {
  const folder = configFolder(env)
  const path = `${folder}/${CONTEXTS_FILE}`
  const bytes = folder === undefined ? undefined : files.read(path)
  return bytes === undefined ? { current: undefined, contexts: new Map() } : decode(bytes, path)
}

/** Saves contexts in a file that only this user can read. */
export function saveContexts(
  { current, contexts }: Contexts,
  { env, saveSecret }: Pick<Cli, 'env' | 'saveSecret'>,
): void {
  const folder = configFolder(env)
  const value = { current, contexts: Object.fromEntries(contexts) }
  const bytes = new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`)
  if (folder !== undefined && saveSecret(`${folder}/${CONTEXTS_FILE}`, bytes)) return
  const message = `The contexts could not be saved${folder === undefined ? ': HOME is not set' : ` in ${folder}`}.`
  throw new UserError([{ code: 'FILE_NOT_WRITTEN', message, hint: 'Check the folder and its permissions.' }])
}

/** The context with this name; undefined: the control plane of this machine. Throws when there is no such context. */
export function contextNamed(name: string, deps: Deps): Context | undefined {
  if (name === HERE) return undefined
  const { contexts } = readContexts(deps)
  const found = contexts.get(name)
  if (found !== undefined) return found
  const names = [...contexts.keys()]
  const near = nearest(name, names)
  const others = names.length === 0 ? 'There are none yet.' : `Contexts: ${[...names, HERE].join(', ')}.`
  const hint = `${near === undefined ? others : `Did you mean ${near}?`} Create it with: berth login URL --name ${name}`
  throw new UserError([{ code: 'CONTEXT_UNKNOWN', message: `There is no context ${name}.`, found: name, hint }])
}

function decode(bytes: Uint8Array, path: string): Contexts {
  const value = parseJson(new TextDecoder().decode(bytes))
  if (isRecord(value) && isRecord(value['contexts'])) {
    const pairs = Object.entries(value['contexts']).map(([name, context]) => [name, contextOf(context)] as const)
    const current = value['current']
    if (pairs.every(([, context]) => context !== undefined))
      return {
        current: typeof current === 'string' ? current : undefined,
        contexts: new Map(pairs.flatMap(([name, context]) => (context === undefined ? [] : [[name, context]]))),
      }
  }
  const message = `${path} is damaged and holds no contexts.`
  const hint = 'Remove the file and log in again with `berth login URL`.'
  throw new UserError([{ code: 'CONNECTION_UNREADABLE', message, found: path, hint }])
}

function contextOf(value: unknown): Context | undefined {
  if (!isRecord(value)) return undefined
  const { url, token, ca } = value
  if (typeof url !== 'string' || typeof token !== 'string') return undefined
  return { url, token, ...(typeof ca === 'string' && { ca }) }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
