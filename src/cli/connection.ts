import { UserError } from '../core/problem.ts'
import { Secret } from '../ports/secret.ts'
import type { Cli, Target } from './cli.ts'

/** What `berth up` writes for those who want to reach it: readable by its owner alone. */
export interface Connection {
  readonly url: string
  readonly token: string
}

/** Name of the file, in the data folder of a control plane and in the user's own config folder. */
export const CONNECTION_FILE = 'connection.json'

/** Folder of the user's connection file; undefined: the user has no home. */
export function configFolder(env: Cli['env']): string | undefined {
  const home = env('HOME')
  const folder = env('XDG_CONFIG_HOME') || (home ? `${home}/.config` : undefined)
  return folder === undefined ? undefined : `${folder}/berth`
}

/** What the connection file holds, as bytes. */
export function encodeConnection({ url, token }: Connection): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ url, token }, undefined, 2)}\n`)
}

/** Where the flags point. */
export interface TargetFlags {
  readonly url?: string
  readonly tokenFile?: string
}

/**
 * The address from `--url`, BERTH_URL or a connection file; the token from `--token-file`, BERTH_TOKEN or that file. A
 * token from the connection file goes to the address beside it and to no other.
 */
export function findTarget({ url, tokenFile }: TargetFlags, cli: Pick<Cli, 'files' | 'env'>): Target {
  const given = tokenFile === undefined ? undefined : tokenIn(tokenFile, cli)
  const said = url ?? (cli.env('BERTH_URL') || given?.url)
  const fromEnv = cli.env('BERTH_TOKEN') || undefined
  const token = given?.token ?? fromEnv
  if (said !== undefined && token !== undefined) return { url: address(said), token: new Secret(token) }
  const known = connectionIn(cli)
  if (said === undefined) {
    if (known === undefined) throw unknown(cli)
    return { url: address(known.url), token: new Secret(token ?? known.token) }
  }
  const isKnown = known !== undefined && address(known.url) === address(said)
  return { url: address(said), token: isKnown ? new Secret(known.token) : undefined }
}

/** Whether anything says where a control plane is. */
export function isKnownTarget({ url, tokenFile }: TargetFlags, cli: Pick<Cli, 'files' | 'env'>): boolean {
  const isSaid = url !== undefined || tokenFile !== undefined || Boolean(cli.env('BERTH_URL'))
  return isSaid || connectionIn(cli) !== undefined
}

function tokenIn(path: string, { files }: Pick<Cli, 'files'>): Partial<Connection> {
  const bytes = files.read(path)
  if (bytes === undefined) {
    const message = `There is no token file ${path} to read.`
    throw new UserError([{ code: 'FILE_MISSING', message, found: path, hint: 'Check the path and its permissions.' }])
  }
  const text = new TextDecoder().decode(bytes).trim()
  if (text.startsWith('{')) return parseConnection(text, path)
  if (/^[\x21-\x7e]+$/.test(text)) return { token: text }
  throw unreadable(path, `${path} does not hold a token: one line of letters, digits and signs.`)
}

function connectionIn({ files, env }: Pick<Cli, 'files' | 'env'>): Connection | undefined {
  const folder = configFolder(env)
  const path = `${folder}/${CONNECTION_FILE}`
  const bytes = folder === undefined ? undefined : files.read(path)
  return bytes === undefined ? undefined : parseConnection(new TextDecoder().decode(bytes), path)
}

function parseConnection(text: string, path: string): Connection {
  const value = parseJson(text)
  const isObject = typeof value === 'object' && value !== null && 'url' in value && 'token' in value
  if (isObject && typeof value.url === 'string' && typeof value.token === 'string')
    return { url: value.url, token: value.token }
  throw unreadable(path, `${path} is not a connection file: JSON with url and token.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function address(text: string): string {
  if (/^https?:\/\/[^\s/@]+(?:\/\S*)?$/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  const shown = text.replace(/\/\/[^/@]*@/, '//***@').slice(0, 200)
  throw unreadable(text, `${shown} is not the address of a control plane.`)
}

function unreadable(found: string, message: string): UserError {
  const hint = 'An address looks like http://127.0.0.1:7700; `berth up` prints it and writes the connection file.'
  return new UserError([{ code: 'CONNECTION_UNREADABLE', message, found: found.slice(0, 200), hint }])
}

function unknown({ env }: Pick<Cli, 'env'>): UserError {
  const folder = configFolder(env)
  const looked = folder === undefined ? '' : ` (looked for ${folder}/${CONNECTION_FILE})`
  const message = `It is not known where a control plane listens${looked}.`
  const hint = 'Start one with `berth up`, or give --url and --token-file, or set BERTH_URL and BERTH_TOKEN.'
  return new UserError([{ code: 'CONTROL_PLANE_UNKNOWN', message, hint }])
}
