import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UserError } from '../core/base/problem.ts'
import { Secret } from '../ports/secret.ts'
import { openVault } from './vault.ts'
import { cases } from '../core/base/laws.suite.ts'

let folder = ''
let keyFile = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-vault-'))
  keyFile = join(folder, 'keys', 'vault.key')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ABOUT = 'default/HF_TOKEN/1'
const VALUE = 'hf_correct-horse'

function problemOf(doing: () => unknown): string {
  try {
    doing()
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(({ code, message }) => `${code}: ${message}`).join('\n')
    throw error
  }
  return ''
}

describe('a vault', () => {
  test('opens what it sealed, whatever it is', () => {
    const vault = openVault({ keyFile })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (value, about) => {
        expect(vault.open(vault.seal(new Secret(value), about), about)?.reveal()).toBe(value)
      }),
      cases(50),
    )
  })

  test('opens after a restart what it sealed before', () => {
    const sealed = openVault({ keyFile }).seal(new Secret(VALUE), ABOUT)
    expect(openVault({ keyFile }).open(sealed, ABOUT)?.reveal()).toBe(VALUE)
  })

  test('shows nothing of the value, and never seals twice alike', () => {
    const vault = openVault({ keyFile })
    const one = vault.seal(new Secret(VALUE), ABOUT)
    const two = vault.seal(new Secret(VALUE), ABOUT)
    expect(one).not.toBe(two)
    expect(one).not.toContain(VALUE)
    expect(one).not.toContain(Buffer.from(VALUE).toString('base64url').slice(0, 8))
  })

  test.each(['default/HF_TOKEN/2', 'default/HF_TOKEM/1', 'other/HF_TOKEN/1', ''])(
    'does not open it for %j',
    (about) => {
      const vault = openVault({ keyFile })
      expect(vault.open(vault.seal(new Secret(VALUE), ABOUT), about)).toBeUndefined()
    },
  )

  test('does not open it with another key', () => {
    const sealed = openVault({ keyFile }).seal(new Secret(VALUE), ABOUT)
    expect(openVault({ keyFile: join(folder, 'other') }).open(sealed, ABOUT)).toBeUndefined()
  })

  test('notices a change of any one character', () => {
    const vault = openVault({ keyFile })
    const sealed = vault.seal(new Secret(VALUE), ABOUT)
    for (let at = 0; at < sealed.length; at++) {
      for (const sign of ['A', 'B', '0', '_', '.', '=', '']) {
        if (sealed[at] === sign) continue
        const changed = sealed.slice(0, at) + sign + sealed.slice(at + 1)
        expect(vault.open(changed, ABOUT), changed).toBeUndefined()
        expect(vault.rotate(changed, ABOUT), changed).toBeUndefined()
      }
    }
  })

  test('takes no other text for the same bytes', () => {
    const vault = openVault({ keyFile })
    const signs = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ']
    for (const value of [VALUE, `${VALUE}1`, `${VALUE}12`]) {
      const sealed = vault.seal(new Secret(value), ABOUT)
      const others = signs.map((sign) => sealed.slice(0, -1) + sign).filter((text) => text !== sealed)
      for (const text of [...others, `${sealed}=`, `${sealed}A`]) expect(vault.open(text, ABOUT), text).toBeUndefined()
    }
  })

  test('notices a change of any one bit', () => {
    const vault = openVault({ keyFile })
    const [version, keyId, body = ''] = vault.seal(new Secret(VALUE), ABOUT).split('.')
    const bytes = Buffer.from(body, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(vault.open([version, keyId, changed.toString('base64url')].join('.'), ABOUT)).toBeUndefined()
    }
  })

  test('notices a value that was put under the key of another', () => {
    const vault = openVault({ keyFile })
    const parts = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
    const one = vault.seal(new Secret(VALUE), ABOUT)
    const two = vault.seal(new Secret('other value'), ABOUT)
    const mixed = Buffer.concat([parts(one).subarray(0, 60), parts(two).subarray(60)]).toString('base64url')
    expect(vault.open(`v1.${one.split('.')[1]}.${mixed}`, ABOUT)).toBeUndefined()
  })

  test.each(['', 'v1', 'v1..', 'v1.000000000000.', 'v1.000000000000.AAAA', '***'])('takes %j for damaged', (text) => {
    expect(openVault({ keyFile }).open(text, ABOUT)).toBeUndefined()
  })
})

const KEY = '0123456789ab'

describe('a new key', () => {
  test('seals nothing until it is used; then it seals what comes, and old values still open', () => {
    const vault = openVault({ keyFile })
    const old = vault.seal(new Secret(VALUE), ABOUT)
    vault.addKey(KEY)
    expect(vault.hasKey(KEY)).toBe(true)
    expect(vault.seal(new Secret(VALUE), ABOUT).split('.')[1]).toBe(old.split('.')[1])
    expect(vault.rotate(old, ABOUT)).toBe(old)
    vault.useKey(KEY)
    expect(vault.seal(new Secret(VALUE), ABOUT).split('.')[1]).toBe(KEY)
    expect(vault.open(old, ABOUT)?.reveal()).toBe(VALUE)
    expect(openVault({ keyFile }).open(old, ABOUT)?.reveal()).toBe(VALUE)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(folder, 'keys'))).toEqual(['vault.key'])
  })

  test('is added once and used once, however often that is asked for', () => {
    const vault = openVault({ keyFile })
    vault.addKey(KEY)
    vault.useKey(KEY)
    const content = readFileSync(keyFile, 'utf8')
    vault.addKey(KEY)
    vault.useKey(KEY)
    expect(readFileSync(keyFile, 'utf8')).toBe(content)
    expect(content.trim().split('\n')).toHaveLength(2)
  })

  test('wraps old values anew, after which the old key is not needed', () => {
    const vault = openVault({ keyFile })
    const old = vault.seal(new Secret(VALUE), ABOUT)
    vault.addKey(KEY)
    vault.useKey(KEY)
    const fresh = vault.rotate(old, ABOUT) ?? ''
    expect(fresh.split('.')[1]).toBe(KEY)
    expect(vault.rotate(fresh, ABOUT)).toBe(fresh)
    expect(vault.rotate(old, 'other')).toBeUndefined()
    const [newest = ''] = readFileSync(keyFile, 'utf8').split('\n')
    writeFileSync(keyFile, `${newest}\n`, { mode: 0o600 })
    const left = openVault({ keyFile })
    expect(left.open(fresh, ABOUT)?.reveal()).toBe(VALUE)
    expect(left.open(old, ABOUT)).toBeUndefined()
  })

  test('is found and used by a process that started before it was added', () => {
    const early = openVault({ keyFile })
    const late = openVault({ keyFile })
    late.addKey(KEY)
    late.useKey(KEY)
    expect(early.open(late.seal(new Secret(VALUE), ABOUT), ABOUT)?.reveal()).toBe(VALUE)
    expect(early.seal(new Secret(VALUE), ABOUT).split('.')[1]).toBe(KEY)
    early.addKey('ba9876543210')
    expect(readFileSync(keyFile, 'utf8').trim().split('\n')).toHaveLength(3)
  })

  test('brings back the keys of a file that was deleted or exchanged meanwhile', () => {
    const vault = openVault({ keyFile })
    const sealed = vault.seal(new Secret(VALUE), ABOUT)
    rmSync(keyFile)
    expect(vault.hasKey(KEY)).toBe(false)
    expect(readdirSync(join(folder, 'keys'))).toEqual([])
    vault.addKey(KEY)
    expect(openVault({ keyFile }).open(sealed, ABOUT)?.reveal()).toBe(VALUE)
    rmSync(keyFile)
    openVault({ keyFile })
    expect(vault.open(vault.seal(new Secret(VALUE), ABOUT), ABOUT)?.reveal()).toBe(VALUE)
    expect(vault.open(sealed, ABOUT)?.reveal()).toBe(VALUE)
  })

  test('is refused while another process changes the file, and then nothing is changed', () => {
    const vault = openVault({ keyFile })
    const content = readFileSync(keyFile, 'utf8')
    writeFileSync(`${keyFile}.lock`, '')
    expect(problemOf(() => vault.addKey(KEY))).toBe(
      `VAULT_KEY_UNFIT: Another process is changing the key file ${keyFile}.`,
    )
    expect(readFileSync(keyFile, 'utf8')).toBe(content)
  })

  test('is refused where the file has as many as it can have', () => {
    const vault = openVault({ keyFile })
    const [line = ''] = readFileSync(keyFile, 'utf8').split(' ').slice(2)
    const lines = Array.from({ length: 999 }, (_, at) => `berth-key-v1 ${String(at).padStart(12, '0')} ${line}`)
    writeFileSync(keyFile, readFileSync(keyFile, 'utf8') + lines.join(''))
    expect(problemOf(() => vault.addKey(KEY))).toContain('has 1000 keys')
    expect(openVault({ keyFile }).hasKey('000000000998')).toBe(true)
  })
})

describe('the key file', () => {
  test('is made when it is missing, for its owner alone, and nothing is left beside it', () => {
    openVault({ keyFile })
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(folder, 'keys'))).toEqual(['vault.key'])
  })

  test.each([0o644, 0o640, 0o620, 0o601])('is refused when others can reach it: %o', (mode) => {
    openVault({ keyFile })
    chmodSync(keyFile, mode)
    expect(problemOf(() => openVault({ keyFile }))).toBe(
      `VAULT_KEY_UNFIT: Other users have access to the key file ${keyFile} (mode ${mode.toString(8)}).`,
    )
  })

  test.each(['', 'hello\n', 'berth-key-v1 000000000000 short\n'])('is refused when it holds %j', (content) => {
    mkdirSync(join(folder, 'keys'))
    writeFileSync(keyFile, content, { mode: 0o600 })
    expect(problemOf(() => openVault({ keyFile }))).toBe(`VAULT_KEY_UNFIT: The key file ${keyFile} is damaged.`)
    expect(readFileSync(keyFile, 'utf8')).toBe(content)
  })

  test('is refused when it is cut short', () => {
    openVault({ keyFile }).addKey(KEY)
    const content = readFileSync(keyFile, 'utf8')
    for (let length = 0; length < content.length - 1; length++) {
      const isWhole = length === content.length / 2 || length === content.length / 2 - 1
      writeFileSync(keyFile, content.slice(0, length))
      expect(problemOf(() => openVault({ keyFile })) === '', `${length}`).toBe(isWhole)
    }
  })

  test('is refused when it is a folder, or cannot be made', () => {
    mkdirSync(keyFile, { recursive: true })
    expect(problemOf(() => openVault({ keyFile }))).toBe(`VAULT_KEY_UNFIT: ${keyFile} is not a file.`)
    writeFileSync(join(folder, 'file'), '')
    const below = join(folder, 'file', 'key')
    expect(problemOf(() => openVault({ keyFile: below }))).toMatch(/^VAULT_KEY_UNFIT: The key file .* \(E[A-Z]+\)\.$/)
  })
})
