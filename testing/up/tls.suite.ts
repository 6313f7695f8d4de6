import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** A certificate with its key, both in PEM. */
export interface Made {
  readonly cert: string
  readonly key: string
}

interface Wanted {
  /** Names and IPv4 addresses. */
  readonly names?: readonly string[]
  readonly fromMs?: number
  readonly toMs?: number
  /** The authority; left out: it signs itself. */
  readonly by?: Made & { readonly name: string }
  /** Its own name. */
  readonly name?: string
  readonly isAuthority?: boolean
}

const DAY_MS = 86_400_000

/** Makes one, without a program that a bare machine would not have. */
export function makeCertificate({
  names = ['localhost', '127.0.0.1'],
  fromMs = Date.now() - DAY_MS,
  toMs = Date.now() + 365 * DAY_MS,
  by,
  name = 'test',
  isAuthority = false,
}: Wanted = {}): Made {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const extensions = [
    extension('551d11', seq(...names.map(generalName))),
    ...(isAuthority ? [extension('551d13', seq(der(0x01, Buffer.from([0xff]))), true)] : []),
  ]
  const body = seq(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    commonName(by?.name ?? name),
    seq(time(fromMs), time(toMs)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, seq(...extensions)),
  )
  const signature = sign('sha256', body, by?.key ?? key)
  const cert = pem('CERTIFICATE', seq(body, ECDSA_SHA256, bits(signature)))
  return { cert, key }
}

/** The key as a key file with a passphrase has it. */
export function sealedKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString()
}

const ECDSA_SHA256 = seq(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function seq(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), content]))
}

function commonName(name: string): Buffer {
  const attribute = seq(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))
  return seq(der(0x31, attribute))
}

function extension(oid: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : []
  return seq(der(0x06, Buffer.from(oid, 'hex')), ...critical, der(0x04, value))
}

function generalName(name: string): Buffer {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name)
  return isAddress ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(text))
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
