import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../core/base/problem.ts'
import type { Target } from '../cli.ts'
import { configFolder, encodeConnection, findTarget, type TargetFlags } from './connection.ts'

const FILE = '/home/ada/.config/berth/connection.json'
const HERE = { url: 'http://127.0.0.1:7700', token: 'from-file' }

interface Around {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

function find(flags: TargetFlags, situation: Around = {}): { url: string; token: string | undefined } {
  const target = targetOf(flags, situation)
  return { url: target.url, token: target.token?.reveal() }
}

function targetOf(flags: TargetFlags, { files = {}, env = {} }: Around = {}): Target {
  const target = findTarget(flags, {
    files: {
      read: (path) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
      list: () => undefined,
      write: () => false,
    },
    env: (name) => ({ HOME: '/home/ada', ...env })[name],
  })
  expect(inspect(target)).not.toContain('from-')
  return target
}

const withFile = { files: { [FILE]: new TextDecoder().decode(encodeConnection(HERE)) } }

describe('where a control plane is', () => {
  test('the file of `berth up` says it when nothing else does', () => {
    expect(find({}, withFile)).toEqual({ url: 'http://127.0.0.1:7700', token: 'from-file' })
  })

  test('the environment wins over the file, and a flag over the environment', () => {
    const env = { BERTH_URL: 'https://env.example', BERTH_TOKEN: 'from-env' }
    expect(find({}, { ...withFile, env })).toEqual({ url: 'https://env.example', token: 'from-env' })
    const files = { ...withFile.files, 'ci.token': 'from-flag\n' }
    expect(find({ url: 'https://flag.example/', tokenFile: 'ci.token' }, { files, env })).toEqual({
      url: 'https://flag.example',
      token: 'from-flag',
    })
  })

  test('the token of the file goes to the address of the file and to no other', () => {
    expect(find({ url: 'http://127.0.0.1:7700/' }, withFile).token).toBe('from-file')
    expect(find({ url: 'https://elsewhere.example' }, withFile).token).toBeUndefined()
    expect(find({}, { ...withFile, env: { BERTH_URL: 'http://127.0.0.1:7701' } }).token).toBeUndefined()
  })

  test('a token file may be a connection file, address and all', () => {
    const files = { 'data/connection.json': '{"url":"http://10.0.0.1:7700","token":"from-data"}' }
    expect(find({ tokenFile: 'data/connection.json' }, { files })).toEqual({
      url: 'http://10.0.0.1:7700',
      token: 'from-data',
    })
  })

  test('a token from the environment goes with the address of the file', () => {
    expect(find({}, { ...withFile, env: { BERTH_TOKEN: 'from-env' } })).toEqual({
      url: HERE.url,
      token: 'from-env',
    })
  })

  test('an empty variable counts as not set', () => {
    expect(find({}, { ...withFile, env: { BERTH_URL: '', BERTH_TOKEN: '' } }).token).toBe('from-file')
  })

  test('its folder follows XDG_CONFIG_HOME', () => {
    expect(configFolder((name) => (name === 'XDG_CONFIG_HOME' ? '/x' : undefined))).toBe('/x/berth')
    expect(configFolder(() => undefined)).toBeUndefined()
  })
})

describe('what a control plane is known by', () => {
  const PEM = '-----BEGIN CERTIFICATE-----\n'
  const url = 'https://127.0.0.1:7700'
  const connection = new TextDecoder().decode(encodeConnection({ url, token: 'from-file', certificate: '/own.pem' }))
  const files = { [FILE]: connection, '/own.pem': `${PEM}own`, 'ca.pem': `${PEM}ca`, 'other.pem': `${PEM}other` }
  const own = { ca: `${PEM}own`, isOwn: true }

  test('is the certificate that `berth up` names, to its address alone', () => {
    expect(targetOf({}, { files })).toMatchObject({ url, ...own })
    expect(targetOf({ url }, { files })).toMatchObject(own)
    expect(targetOf({}, { files, env: { BERTH_URL: url, BERTH_TOKEN: 'from-env' } })).toMatchObject(own)
    expect(targetOf({ tokenFile: FILE }, { files })).toMatchObject({ url, ...own })
    expect(targetOf({ url: 'https://other.example' }, { files })).not.toHaveProperty('ca')
  })

  test('is what --ca says, and else BERTH_CA', () => {
    const env = { BERTH_URL: 'https://lab.example', BERTH_TOKEN: 'from-env', BERTH_CA: 'ca.pem' }
    expect(targetOf({}, { files, env })).toMatchObject({ ca: `${PEM}ca`, isOwn: false })
    expect(targetOf({ ca: 'other.pem' }, { files, env })).toMatchObject({ ca: `${PEM}other`, isOwn: false })
    expect(targetOf({}, { files, env: { BERTH_CA: 'ca.pem' } })).toMatchObject(own)
    expect(targetOf({ url: 'http://lab.example' }, { files, env })).not.toHaveProperty('ca')
  })
})

describe('what cannot be used is refused', () => {
  test.each<[what: string, code: string, flags: TargetFlags, situation: Around]>([
    ['nothing at all', 'CONTROL_PLANE_UNKNOWN', {}, {}],
    ['no certificates', 'FILE_MISSING', { url: 'https://a', ca: 'nowhere' }, {}],
    ['no certificate in a file', 'CONNECTION_UNREADABLE', { url: 'https://a', ca: 't' }, { files: { t: 'x' } }],
    ['no token file', 'FILE_MISSING', { url: 'http://a', tokenFile: 'nowhere' }, {}],
    ['two lines in a token file', 'CONNECTION_UNREADABLE', { tokenFile: 't' }, { files: { t: 'one\ntwo' } }],
    ['an empty token file', 'CONNECTION_UNREADABLE', { tokenFile: 't' }, { files: { t: '\n' } }],
    ['a damaged connection file', 'CONNECTION_UNREADABLE', {}, { files: { [FILE]: '{"url":' } }],
    ['a connection file without a token', 'CONNECTION_UNREADABLE', {}, { files: { [FILE]: '{"url":"http://a"}' } }],
    ['an address without a scheme', 'CONNECTION_UNREADABLE', { url: 'localhost:7700' }, {}],
    ['another scheme', 'CONNECTION_UNREADABLE', { url: 'file:///etc/passwd' }, {}],
    ['a password in the address', 'CONNECTION_UNREADABLE', { url: 'http://ada:hunter2@host' }, {}],
  ])('%s: %s', (_, code, flags, situation) => {
    const caught = thrownBy(() => find(flags, situation))
    expect(caught.problems.map((problem) => problem.code)).toEqual([code])
    expect(caught.problems[0]?.hint).toBeDefined()
    expect(caught.message).not.toContain('hunter2')
  })
})

function thrownBy(action: () => unknown): UserError {
  try {
    action()
  } catch (error) {
    if (error instanceof UserError) return error
  }
  throw new Error('nothing was refused')
}
