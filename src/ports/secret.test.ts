import { format, inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Secret } from './secret.ts'

const VALUE = 'hf_correct-horse-battery'
const secret = new Secret(VALUE)

describe('a secret', () => {
  test('is revealed only by an explicit call', () => {
    expect(secret.reveal()).toBe(VALUE)
  })

  test.each<[string, string]>([
    ['String', String(secret)],
    ['a template', `${secret}`],
    ['joining', ['a', secret].join(' ')],
    ['adding', 'a' + secret],
    ['JSON', JSON.stringify(secret)],
    ['JSON of what holds it', JSON.stringify({ a: [secret], b: { secret } })],
    ['inspect', inspect(secret)],
    ['inspect of what holds it', inspect({ a: [secret], b: new Map([['x', secret]]) }, { depth: 9 })],
    ['inspect that shows everything', inspect(secret, { showHidden: true, customInspect: false, getters: true })],
    ['format', format('%s %o %O %j %d', secret, secret, secret, secret, secret)],
    ['the message of an error', inspect(new Error(`refused: ${secret}`))],
    ['an error that has it for a cause', inspect(new Error('refused', { cause: secret }))],
    ['an error that carries it', inspect(Object.assign(new Error('refused'), { secret }))],
    ['its keys and values', JSON.stringify([Object.entries(secret), Reflect.ownKeys(secret).map(String)])],
    ['a copy', inspect({ ...secret })],
    ['a structured clone', inspect(structuredClone({ secret }))],
  ])('is not seen in %s', (_, printed) => {
    expect(printed).not.toContain(VALUE)
    expect(printed).not.toContain('horse')
  })

  test.each([String(secret), `${secret}`, inspect(secret), JSON.parse(JSON.stringify(secret))])(
    'prints as %j',
    (text) => {
      expect(text).toBe('***')
    },
  )
})
