import { UserError } from '../../core/base/problem.ts'
import { Secret } from '../../ports/secret.ts'
import type { Cli, Target } from '../cli.ts'
import { configFolder } from './config-folder.ts'
import { contextNamed, readContexts, type Context } from './contexts.ts'

export { configFolder } from './config-folder.ts'

/** What `berth up` writes so that commands can reach it. Only its owner can read the file. */
export interface Connection {
  readonly url: string
  readonly token: string
  /** The file with its certificate; no other certificate is accepted. Left out: it speaks plain HTTP. */
  readonly certificate?: string
}

/** The name of the file, in the control plane's data folder and in the user's config folder. */
export const CONNECTION_FILE = 'connection.json'

/** The contents of the connection file. */
export function encodeConnection({ url, token, certificate }: Connection): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ url, token, certificate }, undefined, 2)}\n`)
}

/** The flags that choose a control plane. */
export interface TargetFlags {
  readonly url?: string
  readonly tokenFile?: string
  readonly context?: string
  readonly ca?: string
}

/**
 * The control plane to talk to, from the first of: `--context`; `--url` and `--token-file`; BERTH_CONTEXT; BERTH_URL and
 * BERTH_TOKEN; the current context; the connection file of `berth up`. A token saved by Berth is sent only to the
 * address saved with it. Certificates come from `--ca`, else from the same place as the address, else from BERTH_CA.
 */
export function findTarget(flags: TargetFlags, cli: Pick<Cli, 'files' | 'env'>): Target {
  const found = targetOf(flags, cli)
  const file = flags.ca ?? (found.ca === undefined ? cli.env('BERTH_CA') || undefined : undefined)
  if (file === undefined || !found.url.startsWith('https:')) return found
  return { ...found, ca: certificatesIn(file, cli), isOwn: false }
}

function targetOf(flags: TargetFlags, cli: Pick<Cli, 'files' | 'env'>): Target {
  const chosen = chosenContext(flags, cli)
  if (chosen?.context === undefined) return targetBeside(flags, cli)
  const { name, context } = chosen
  const { url, token, ca } = context
  return { url: address(url), token: new Secret(token), ...(ca !== undefined && { ca }), context: name }
}

/** The certificates in a file that the user named. */
export function certificatesIn(path: string, { files }: Pick<Cli, 'files'>): string {
  const bytes = files.read(path)
  const hint =
    'The file must hold certificates in PEM form (-----BEGIN CERTIFICATE-----). Ask the operator of the control plane for it.'
  if (bytes === undefined) {
    throw new UserError([{ code: 'FILE_MISSING', message: `There is no file ${path} to read.`, found: path, hint }])
  }
  const text = new TextDecoder().decode(bytes)
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new UserError([{ code: 'CONNECTION_UNREADABLE', message: `${path} holds no certificate.`, found: path, hint }])
}

/** The certificate to expect from this machine's control plane. If its file cannot be read, the system must trust it. */
function trustOf({ certificate }: Partial<Connection>, { files }: Pick<Cli, 'files'>): Partial<Target> {
  const bytes = certificate === undefined ? undefined : files.read(certificate)
  return bytes === undefined ? {} : { ca: new TextDecoder().decode(bytes), isOwn: true }
}

/** The context to use, if there is one. */
function chosenContext(
  { context, url, tokenFile }: TargetFlags,
  cli: Pick<Cli, 'files' | 'env'>,
): { readonly name: string; readonly context: Context | undefined } | undefined {
  const isSaid = url !== undefined || tokenFile !== undefined
  const named = context ?? (isSaid ? undefined : cli.env('BERTH_CONTEXT'))
  if (named !== undefined) return { name: named, context: contextNamed(named, cli) }
  if (isSaid || cli.env('BERTH_URL') !== undefined) return undefined
  const { current } = readContexts(cli)
  return current === undefined ? undefined : { name: current, context: contextNamed(current, cli) }
}

function targetBeside({ url, tokenFile }: TargetFlags, cli: Pick<Cli, 'files' | 'env'>): Target {
  const given = tokenFile === undefined ? undefined : tokenIn(tokenFile, cli)
  const said = url ?? (cli.env('BERTH_URL') || given?.url)
  const fromEnv = cli.env('BERTH_TOKEN') || undefined
  const token = given?.token ?? fromEnv
  if (said === undefined) {
    const known = connectionIn(cli)
    if (known === undefined) throw unknown(cli)
    return { url: address(known.url), token: new Secret(token ?? known.token), ...trustOf(known, cli) }
  }
  const isBeside = given?.url !== undefined && address(given.url) === address(said)
  if (token !== undefined && (isBeside || !said.startsWith('https:')))
    return { url: address(said), token: new Secret(token), ...(isBeside && trustOf(given, cli)) }
  const match = knownAt(address(said), cli)
  if (token !== undefined) return { url: address(said), token: new Secret(token), ...match?.trust }
  return { url: address(said), token: match === undefined ? undefined : new Secret(match.token), ...match?.trust }
}

/** The saved credentials for the control plane at an address. */
function knownAt(
  url: string,
  cli: Pick<Cli, 'files' | 'env'>,
): { readonly token: string; readonly trust: Partial<Target> } | undefined {
  const here = connectionIn(cli)
  if (here !== undefined && address(here.url) === url) return { token: here.token, trust: trustOf(here, cli) }
  const found = [...readContexts(cli).contexts.values()].find((one) => address(one.url) === url)
  return found && { token: found.token, trust: found.ca === undefined ? {} : { ca: found.ca } }
}

/** Whether a flag, a variable, a context or a file says where a control plane is. */
export function isKnownTarget({ url, tokenFile, context }: TargetFlags, cli: Pick<Cli, 'files' | 'env'>): boolean {
  const isSaid = url !== undefined || tokenFile !== undefined || context !== undefined
  const isSet = Boolean(cli.env('BERTH_URL')) || Boolean(cli.env('BERTH_CONTEXT'))
  return isSaid || isSet || readContexts(cli).current !== undefined || connectionIn(cli) !== undefined
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
  throw unreadable(
    path,
    `${path} does not hold a token, which is one line of printable ASCII characters without spaces.`,
  )
}

/** The connection that `berth up` wrote for this user; undefined: there is none. */
export function connectionIn({ files, env }: Pick<Cli, 'files' | 'env'>): Connection | undefined {
  const folder = configFolder(env)
  const path = `${folder}/${CONNECTION_FILE}`
  const bytes = folder === undefined ? undefined : files.read(path)
  return bytes === undefined ? undefined : parseConnection(new TextDecoder().decode(bytes), path)
}

function parseConnection(text: string, path: string): Connection {
  const value = parseJson(text)
  const isObject = typeof value === 'object' && value !== null && 'url' in value && 'token' in value
  if (isObject && typeof value.url === 'string' && typeof value.token === 'string') {
    const certificate = 'certificate' in value && typeof value.certificate === 'string' ? value.certificate : undefined
    return { url: value.url, token: value.token, ...(certificate !== undefined && { certificate }) }
  }
  throw unreadable(path, `${path} is not a connection file, which is JSON with url and token.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An address in its normal form, without trailing slashes. */
export function address(text: string): string {
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
  const message = `No control plane is known${looked}.`
  const hint = 'Start one with `berth up`, or log in to one with `berth login URL`, or give --url and --token-file.'
  return new UserError([{ code: 'CONTROL_PLANE_UNKNOWN', message, hint }])
}
