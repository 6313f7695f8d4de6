import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { must } from '../core/base/assert.ts'
import { Secret } from '../ports/secret.ts'
import type { RotatingVault } from '../ports/secret.ts'
import { changeKeyFile, newKey, readKeyFile, rereadKeyFile } from './key-file.ts'
import type { MasterKey } from './key-file.ts'

/**
 * A vault with its key in a file outside the store. Every value is encrypted with its own fresh key, which the master key
 * wraps: a new master key re-wraps only 32 bytes for each value. Throws a UserError if the file cannot be used.
 */
export function openVault({ keyFile }: { readonly keyFile: string }): RotatingVault {
  let keys = readKeyFile(keyFile)
  const newest = (): MasterKey => must(keys[0], 'a key file has at least one key')
  /** Another process may have added a key since. Keys that were read once stay in use, whatever happens to the file. */
  const readAgain = (): void => {
    keys = joined(rereadKeyFile(keyFile) ?? [], keys)
  }
  const change = (next: (keys: readonly MasterKey[]) => readonly MasterKey[]): void => {
    keys = changeKeyFile(keyFile, (inFile) => next(joined(inFile, keys)))
  }
  const keyOf = ({ keyId }: Sealed): Buffer | undefined => {
    const known = keys.find(({ id }) => id === keyId)
    if (known !== undefined) return known.bytes
    readAgain()
    return keys.find(({ id }) => id === keyId)?.bytes
  }
  return {
    seal(secret, about) {
      // Another process may have begun to use a newer key.
      readAgain()
      const dataKey = randomBytes(KEY_BYTES)
      const value = encrypt(dataKey, Buffer.from(secret.reveal(), 'utf8'), valueLabel(about))
      return sealedText(wrap(newest(), dataKey, about), value)
    },
    open(text, about) {
      const sealed = readSealed(text)
      const dataKey = sealed && unwrap(sealed, keyOf(sealed), about)
      const value = sealed && dataKey && decrypt(dataKey, sealed.value, valueLabel(about))
      return value && new Secret(value.toString('utf8'))
    },
    rotate(text, about) {
      const sealed = readSealed(text)
      const dataKey = sealed && unwrap(sealed, keyOf(sealed), about)
      if (sealed === undefined || dataKey === undefined) return undefined
      // A damaged value must not count as up to date.
      if (decrypt(dataKey, sealed.value, valueLabel(about)) === undefined) return undefined
      return sealed.keyId === newest().id ? text : sealedText(wrap(newest(), dataKey, about), sealed.value)
    },
    addKey(id) {
      change((all) => (all.some((key) => key.id === id) ? all : [...all, newKey(id)]))
    },
    hasKey(id) {
      readAgain()
      return keys.some((key) => key.id === id)
    },
    useKey(id) {
      change((all) =>
        joined(
          [
            must(
              all.find((key) => key.id === id),
              'a key is added before it is used',
            ),
          ],
          all,
        ),
      )
    },
  }
}

/** The keys of both, those of the first in front. */
function joined(first: readonly MasterKey[], second: readonly MasterKey[]): readonly MasterKey[] {
  const ids = new Set(first.map(({ id }) => id))
  return [...first, ...second.filter(({ id }) => !ids.has(id))]
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const BOX_BYTES = NONCE_BYTES + TAG_BYTES
const FORM = /^v1\.([0-9a-f]{12})\.([A-Za-z0-9_-]+)$/

interface Sealed {
  readonly keyId: string
  /** The value's own key, encrypted with the master key. */
  readonly wrapped: Buffer
  readonly value: Buffer
}

/** Binds a ciphertext to its purpose: it cannot be decrypted for another one. */
function valueLabel(about: string): string {
  return JSON.stringify(['value', about])
}

function keyLabel(keyId: string, about: string): string {
  return JSON.stringify(['key', keyId, about])
}

function wrap({ id, bytes }: MasterKey, dataKey: Buffer, about: string): Omit<Sealed, 'value'> {
  return { keyId: id, wrapped: encrypt(bytes, dataKey, keyLabel(id, about)) }
}

function unwrap({ keyId, wrapped }: Sealed, master: Buffer | undefined, about: string): Buffer | undefined {
  return master && decrypt(master, wrapped, keyLabel(keyId, about))
}

function sealedText({ keyId, wrapped }: Omit<Sealed, 'value'>, value: Buffer): string {
  return `v1.${keyId}.${Buffer.concat([wrapped, value]).toString('base64url')}`
}

function readSealed(text: string): Sealed | undefined {
  const [, keyId, body] = FORM.exec(text) ?? []
  if (keyId === undefined || body === undefined) return undefined
  const bytes = Buffer.from(body, 'base64url')
  const wrappedBytes = BOX_BYTES + KEY_BYTES
  // Several texts decode to the same bytes; only the canonical one is accepted.
  if (bytes.length < wrappedBytes + BOX_BYTES || bytes.toString('base64url') !== body) return undefined
  return { keyId, wrapped: bytes.subarray(0, wrappedBytes), value: bytes.subarray(wrappedBytes) }
}

/** Nonce, authentication tag and ciphertext. The label is authenticated but not included. */
function encrypt(key: Buffer, plain: Buffer, label: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(label, 'utf8'))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

function decrypt(key: Buffer, box: Buffer, label: string): Buffer | undefined {
  try {
    const cipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(label, 'utf8'))
    cipher.setAuthTag(box.subarray(NONCE_BYTES, BOX_BYTES))
    return Buffer.concat([cipher.update(box.subarray(BOX_BYTES)), cipher.final()])
  } catch {
    return undefined
  }
}
