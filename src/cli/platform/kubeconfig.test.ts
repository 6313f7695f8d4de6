import { expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'
import { furnishedPlane } from '../planes.suite.ts'

const CONFIG = `apiVersion: v1
kind: Config
current-context: lab
clusters:
- { name: lab, cluster: { server: 'https://lab.example:6443', certificate-authority: ca.crt } }
- { name: other, cluster: { server: 'https://other.example:6443' } }
users:
- { name: me, user: { token: canary-token } }
contexts:
- { name: lab, context: { cluster: lab, user: me, namespace: ml } }
- { name: other, context: { cluster: other, user: me } }
`

async function add(line: string, files: Readonly<Record<string, string>> = { 'k/config': CONFIG, 'k/ca.crt': 'CA' }) {
  const base = furnishedPlane()
  const [secrets, added]: [unknown[], unknown[]] = [[], []]
  const setPlatformSecret: typeof base.setPlatformSecret = async (request) => {
    secrets.push(request)
    return base.setPlatformSecret(request)
  }
  const addProvider: typeof base.addProvider = async (request) => {
    added.push(request)
    return base.addProvider({ ...request, kind: 'sim', settings: {} })
  }
  const testProvider: typeof base.testProvider = async () => [
    { check: 'permissions', ok: !line.includes('poor'), text: 'all are granted', took_ms: 1 },
  ]
  const control = () => ({ ...base, setPlatformSecret, addProvider, testProvider })
  return { ...(await berth(words(line), { files, control })), secrets, added }
}

test('the content of a kubeconfig goes to the vault, with what its context needs and the files that it names', async () => {
  const { out, code, secrets, added } = await add('provider add lab-1 --kind kubernetes --kubeconfig k/config')
  expect(code).toBe(EXIT.ok)
  expect(out).toContain('permissions')
  expect(added).toMatchObject([{ name: 'lab-1', kind: 'kubernetes', settings: {}, credential: 'KUBECONFIG_LAB_1' }])
  const [{ value }] = secrets as [{ readonly value: string }]
  expect(value).toContain(`certificate-authority-data: ${Buffer.from('CA').toString('base64')}`)
  expect(value).toContain('canary-token')
  expect(value).not.toContain('other.example')
  expect(out).not.toContain('canary')
})

test('another context and namespace can be named', async () => {
  const { secrets, added } = await add(
    'provider add b --kind kubernetes --kubeconfig k/config --context other --namespace team',
  )
  expect(JSON.stringify(secrets)).toContain('other.example')
  expect(added).toMatchObject([{ settings: { namespace: 'team' } }])
})

test('a right that is missing is shown, and the exit code says so', async () => {
  const { code } = await add('provider add poor --kind kubernetes --kubeconfig k/config')
  expect(code).toBe(EXIT.notDone)
})

test.each([
  ['--kubeconfig nowhere', {}, 'There is no file', EXIT.invalid],
  ['--kubeconfig k/config --context none', undefined, 'has no context none; its contexts are lab, other', EXIT.invalid],
  ['--kubeconfig k/config', { 'k/config': CONFIG }, 'names the file ca.crt, which cannot be read', EXIT.invalid],
  ['--kubeconfig k/config', { 'k/config': 'a: [' }, 'not valid YAML', EXIT.invalid],
  ['--kubeconfig k/config --credential X', undefined, 'cannot be used with', EXIT.usage],
])('provider add b --kind kubernetes %s fails', async (flags, files, said, exit) => {
  const { code, err, secrets, added } = await add(`provider add b --kind kubernetes ${flags}`, files)
  expect(code).toBe(exit)
  expect(err).toContain(said)
  expect([secrets, added]).toEqual([[], []])
  expect(err).not.toContain('canary')
})
