import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { accessFrom } from './kubeconfig.ts'
import { runPlugin } from './plugin.ts'

type Json = Readonly<Record<string, unknown>>

function config({
  user = { token: 'canary' },
  cluster = {},
  more = {},
}: { user?: Json; cluster?: Json; more?: Json } = {}): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'c', cluster: { server: 'https://lab.example:6443/k8s', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [
      { name: 'a', context: { cluster: 'c', user: 'u', namespace: 'ml' } },
      { name: 'b', context: { cluster: 'c', user: 'u' } },
      { name: 'lost', context: { cluster: 'gone', user: 'u' } },
    ],
    ...more,
  })
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', 'exit 0'], env: null }

test('a context gives an address, a namespace, trust and a user', () => {
  const access = accessFrom(config({ cluster: { 'certificate-authority-data': base64('CA') } }), undefined)
  expect(access).toMatchObject({
    namespace: 'ml',
    trust: { ca: 'CA', isBlind: false },
    user: { kind: 'token', token: 'canary' },
  })
  expect(access.server.href).toBe('https://lab.example:6443/k8s')
  expect(accessFrom(config(), 'b').namespace).toBeUndefined()
})

test.each([
  [
    { 'client-certificate-data': base64('C'), 'client-key-data': base64('K') },
    { kind: 'certificate', certificate: 'C', key: 'K' },
  ],
  [
    { username: 'n', password: 'p' },
    { kind: 'password', name: 'n', password: 'p' },
  ],
  [{ exec: EXEC }, { kind: 'plugin', plugin: { command: '/bin/sh', args: ['-c', 'exit 0'], env: {} } }],
])('a user with %j is known', (user, read) => {
  expect(accessFrom(config({ user }), undefined).user).toMatchObject(read)
})

test.each([
  ['none', config(), 'none', 'no context none; its contexts are a, b, lost'],
  ['no current one', config({ more: { 'current-context': '' } }), undefined, 'no current context'],
  ['no cluster', config(), 'lost', 'names the cluster gone'],
  ['a path', config({ user: { tokenFile: '/tmp/t' } }), undefined, 'names a file under tokenFile'],
  ['a path of a certificate', config({ cluster: { 'certificate-authority': 'ca.crt' } }), undefined, '--kubeconfig'],
  ['a proxy', config({ cluster: { 'proxy-url': 'http://p' } }), undefined, 'proxy'],
  ['an old provider', config({ user: { 'auth-provider': { name: 'gcp' } } }), undefined, 'auth-provider'],
  ['nobody', config({ user: {} }), undefined, 'no token'],
  ['no address', config({ cluster: { server: 'lab' } }), undefined, 'https://'],
  [
    'an old plugin',
    config({ user: { exec: { ...EXEC, apiVersion: 'client.authentication.k8s.io/v1alpha1' } } }),
    undefined,
    'v1beta1',
  ],
  ['something else', 'hello: canary', undefined, 'not one'],
  ['no YAML', 'a: [canary', undefined, 'not valid YAML'],
])('%s is said, with what to do, and no secret', (_, text, context, said) => {
  expect(() => accessFrom(text, context)).toThrow(said)
  expect(() => accessFrom(text, context)).not.toThrow(/canary/)
})

function plugin(script: string, deadlineMs = 10_000): Promise<unknown> {
  const access = accessFrom(config({ user: { exec: { ...EXEC, args: ['-c', script] } } }), undefined)
  if (access.user.kind !== 'plugin') throw new Error('it is no plugin')
  return runPlugin(access.user.plugin, access, {
    signal: new AbortController().signal,
    allowed: ['/bin/sh'],
    deadlineMs,
  })
}

test('a plugin prints a credential with its end', async () => {
  const printed = JSON.stringify({
    kind: 'ExecCredential',
    status: { token: 't', expirationTimestamp: '2030-01-01T00:00:00Z' },
  })
  expect(await plugin(`echo '${printed}'`)).toMatchObject({ token: 't', untilMs: Date.parse('2030-01-01T00:00:00Z') })
})

test('a plugin knows what it is asked for, and nothing of our environment', async () => {
  process.env['BERTH_CANARY'] = 'canary'
  const script =
    'printf \'{"kind":"ExecCredential","status":{"token":"%s"}}\' "$BERTH_CANARY-$(echo "$KUBERNETES_EXEC_INFO" | wc -c)"'
  expect(await plugin(script)).toMatchObject({ token: expect.stringMatching(/^-\s*\d{2,}$/) })
  delete process.env['BERTH_CANARY']
})

test.each([
  ['exit 3', 10_000, 'ended with 3'],
  ['echo no', 10_000, 'no credential'],
  ['exec sleep 60', 100, 'did not end within 0.1 s'],
])('a plugin that does %s is given up', async (script, deadlineMs, said) => {
  await expect(plugin(script, deadlineMs)).rejects.toThrow(said)
})

test('a program that nobody allowed is not run', async () => {
  const access = accessFrom(config({ user: { exec: EXEC } }), undefined)
  if (access.user.kind !== 'plugin') throw new Error('it is no plugin')
  const run = { signal: new AbortController().signal, allowed: ['aws'] }
  await expect(runPlugin(access.user.plugin, access, run)).rejects.toThrow('plugins: [/bin/sh]')
})
