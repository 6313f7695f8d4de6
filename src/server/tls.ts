import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { resolve } from 'node:path'
import type { UpFlags } from '../cli/cli.ts'
import { UserError } from '../core/base/problem.ts'
import type { Certified, Renewable } from './secure.ts'
import type { Log } from '../ports/log.ts'
import type { Timers } from '../ports/timers.ts'

/** A valid certificate and its key. */
interface Pair {
  readonly cert: string
  readonly key: string
  /** The server's own certificate, the first of the chain. */
  readonly own: X509Certificate
}

interface Named {
  readonly certFile: string
  readonly keyFile: string
  readonly nowMs: () => number
  /** How the flags that name the files begin. */
  readonly flags: string
}

/** How often to check the files for changes. */
const LOOK_MS = 1000
const DAY_MS = 86_400_000
/** When to start warning, once a day, that the certificate expires. */
const ENDING_MS = 14 * DAY_MS

/** The certificate to serve; undefined: none is named. Throws a UserError when it cannot be used. */
export function readTls(
  { tlsCert, tlsKey }: Pick<UpFlags, 'tlsCert' | 'tlsKey'>,
  { nowMs, flags = '--tls' }: { readonly nowMs: () => number; readonly flags?: string },
): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    const [given, missing] = tlsKey === undefined ? ['cert', 'key'] : ['key', 'cert']
    throw unfit(
      `${flags}-${given} is given without ${flags}-${missing}.`,
      'A certificate and its key go together: give both, or none.',
    )
  }
  return new TlsFiles({ certFile: resolve(tlsCert), keyFile: resolve(tlsKey), nowMs, flags })
}

/** A certificate and its key, in files that are read again when they change. */
export class TlsFiles implements Certified {
  readonly #files: Named
  readonly #servers = new Set<Renewable>()
  #pair: Pair
  /** The contents of the files when they were last checked, valid or not. */
  #seen: string
  #toldMs = Number.NEGATIVE_INFINITY

  constructor(files: Named) {
    this.#files = files
    this.#seen = contentOf(files)
    this.#pair = pairIn(files)
  }

  get certFile(): string {
    return this.#files.certFile
  }

  get keyFile(): string {
    return this.#files.keyFile
  }

  pair(): { readonly cert: string; readonly key: string } {
    const { cert, key } = this.#pair
    return { cert, key }
  }

  isNamed(host: string): boolean {
    const { own } = this.#pair
    const bare = host.replace(/^\[|\]$/g, '')
    return (isIP(bare) === 0 ? own.checkHost(bare) : own.checkIP(bare)) !== undefined
  }

  attach(server: Renewable): void {
    this.#servers.add(server)
  }

  /** Uses the files if they have changed. If they are not valid, logs that and keeps the previous certificate. */
  look(log: Log): void {
    const content = contentOf(this.#files)
    if (content !== this.#seen) this.renew(log)
    const { own } = this.#pair
    const [nowMs, endsMs] = [this.#files.nowMs(), Date.parse(own.validTo)]
    if (endsMs - nowMs > ENDING_MS || nowMs - this.#toldMs < DAY_MS) return
    this.#toldMs = nowMs
    log.warn('the certificate expires soon and must be replaced: no client accepts an expired one', {
      file: this.certFile,
      ends: new Date(endsMs).toISOString(),
    })
  }

  renew(log: Log): void {
    this.#seen = contentOf(this.#files)
    try {
      this.#pair = pairIn(this.#files)
      for (const server of this.#servers) server.setSecureContext(this.pair())
      log.info('the certificate was reloaded', { file: this.certFile, ends: this.#pair.own.validTo })
    } catch (error) {
      const [problem] = error instanceof UserError ? error.problems : []
      const why = problem?.message ?? String(error)
      log.error('the new certificate is not valid; the previous one stays in use', { why, to_do: problem?.hint })
    }
  }
}

/** Checks the files periodically, and reloads them on SIGHUP, until it is told to stop. */
export async function renewing(
  tls: TlsFiles | undefined,
  { timers, stop, log }: { readonly timers: Timers; readonly stop: AbortSignal; readonly log: Log },
): Promise<void> {
  if (tls === undefined) return
  const renew = (): void => tls.renew(log)
  process.on('SIGHUP', renew)
  while (!stop.aborted) {
    tls.look(log)
    await timers.sleep(LOOK_MS, stop)
  }
  process.off('SIGHUP', renew)
}

/** The contents of both files, to compare. A file that cannot be read counts as changed. */
function contentOf({ certFile, keyFile }: Named): string {
  return [certFile, keyFile]
    .map((file) => {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\0')
}

function pairIn({ certFile, keyFile, nowMs, flags }: Named): Pair {
  const cert = textOf(certFile, `${flags}-cert`)
  const own = certificateIn(cert, certFile)
  checkTime(own, certFile, nowMs())
  const text = textOf(keyFile, `${flags}-key`)
  checkMode(keyFile)
  const key = keyIn(text, keyFile)
  if (!own.checkPrivateKey(key)) {
    const hint = `The chain must begin with the server’s own certificate. The names of the first: ${own.subjectAltName ?? own.subject}`
    throw unfit(`${keyFile} is not the key of the first certificate in ${certFile}.`, hint)
  }
  // Catches a chain whose later parts are damaged, and a key that is too weak.
  attempt(() => createSecureContext({ cert, key: text }), `${certFile} and ${keyFile} cannot be used for TLS`)
  return { cert, key: text, own }
}

function textOf(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw unfit(
      `${file} cannot be read${why}.`,
      `Check ${flag}, and that the user who runs berth up may read the file.`,
    )
  }
}

function certificateIn(text: string, file: string): X509Certificate {
  const hint = '--tls-cert takes a chain in PEM form (-----BEGIN CERTIFICATE-----), the server’s own certificate first.'
  return attempt(() => new X509Certificate(text), `${file} holds no certificate`, hint)
}

function keyIn(text: string, file: string): KeyObject {
  const hint = '--tls-key takes a private key in PEM form (-----BEGIN PRIVATE KEY-----) without a passphrase.'
  return attempt(() => createPrivateKey(text), `${file} holds no usable private key`, hint)
}

function attempt<T>(doing: () => T, message: string, hint = 'Create both again, or ask the authority for them.'): T {
  try {
    return doing()
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw unfit(`${message}${why}.`, hint)
  }
}

function checkTime({ validFrom, validTo }: X509Certificate, file: string, nowMs: number): void {
  const hint = 'Get a new one, or set the clock of this machine if it is wrong.'
  if (Date.parse(validTo) <= nowMs)
    throw unfit(`The certificate in ${file} has expired: it was valid until ${validTo}.`, hint)
  if (Date.parse(validFrom) > nowMs)
    throw unfit(`The certificate in ${file} is not valid yet: it is valid from ${validFrom}.`, hint)
}

/** Like the check of the vault key. If another user such as root owns the file, the group of the service may read it. */
function checkMode(file: string): void {
  const { mode, uid } = statSync(file)
  const isForeign = process.getuid !== undefined && uid !== process.getuid()
  if ((mode & (isForeign ? 0o027 : 0o077)) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(3, '0')
  throw unfit(
    `Other users have access to the key ${file} (mode ${shown}).`,
    `Run: chmod ${isForeign ? 640 : 600} ${file}`,
  )
}

function unfit(message: string, hint: string): UserError {
  return new UserError([{ code: 'TLS_UNFIT', message, hint }])
}
