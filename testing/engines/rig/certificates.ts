import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A key and a certificate, as files. */
export interface KeyPair {
  readonly key: string
  readonly certificate: string
}

/** Who a certificate is for: a server by its addresses, a user by name and groups. */
export interface Subject {
  readonly name: string
  readonly groups?: readonly string[]
  /** Left out: a client. */
  readonly addresses?: readonly string[]
  readonly days?: number
}

/** Makes what is not there yet: an authority, the API server's pair, and the key with which it signs accounts' tokens. */
export function makeCertificates(folder: string, addresses: readonly string[]): void {
  if (existsSync(join(folder, 'accounts.pub'))) return
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  openssl(authority(folder), ['-subj', '/CN=rig', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'])
  makeKeyPair(folder, { name: 'server', addresses })
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  writeFileSync(join(folder, 'accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
}

export function authority(folder: string): KeyPair {
  return pairOf(folder, 'authority')
}

/** A pair that the rig's authority has signed. */
export function makeKeyPair(folder: string, { name, groups = [], addresses, days = 30 }: Subject): KeyPair {
  const pair = pairOf(folder, name)
  const { certificate, key } = authority(folder)
  const subject = [...groups.map((group) => `/O=${group}`), `/CN=${name}`].join('')
  const names = (addresses ?? []).map((address) => `${/^[\d.]+$/.test(address) ? 'IP' : 'DNS'}:${address}`)
  const usage = addresses === undefined ? 'clientAuth' : 'serverAuth'
  const extensions = ['basicConstraints=critical,CA:FALSE', `extendedKeyUsage=${usage}`]
  const named = names.length === 0 ? [] : [`subjectAltName=${names.join(',')}`]
  const signed = ['-CA', certificate, '-CAkey', key, '-subj', subject, '-days', String(days)]
  openssl(pair, [...signed, ...[...extensions, ...named].flatMap((extension) => ['-addext', extension])])
  return pair
}

function pairOf(folder: string, name: string): KeyPair {
  return { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.crt`) }
}

function openssl({ key, certificate }: KeyPair, argv: readonly string[]): void {
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
  ]
  execFileSync('openssl', ['req', '-x509', ...made, ...argv], { stdio: ['ignore', 'ignore', 'pipe'] })
}
