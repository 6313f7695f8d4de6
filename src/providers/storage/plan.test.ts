import { describe, expect, test } from 'vitest'
import type { Volume } from '../../core/manifest/manifest.ts'
import { Secret } from '../../ports/secret.ts'
import { freshTag } from '../contract/bench.suite.ts'
import { accessOf } from './access.ts'
import { storageFiles } from './files.ts'
import { storagePlan } from './plan.ts'
import { sourceOf } from './source.ts'

const KEYS = 'AWS_ACCESS_KEY_ID=AKIA1\naws_secret_access_key = "canary"\n'

function planOf(storage: readonly Partial<Volume>[], checkpoint?: { path: string; everySeconds: number }) {
  const volumes = storage.map(
    (each) => ({ mount: '/m', from: undefined, sizeGib: undefined, mode: 'ro', ...each }) as const,
  )
  const order = { storage: volumes, tag: freshTag(), ...(checkpoint && { checkpoint }) }
  return storagePlan(order, new Map([['S3', new Secret(KEYS)]]))
}

function entriesOf(...given: Parameters<typeof planOf>) {
  const plan = planOf(...given)
  return typeof plan === 'object' ? plan.entries : plan
}

describe('what is done with storage', () => {
  test.each([
    [{ mode: 'rw', sizeGib: 5 }, 'empty'],
    [{ from: 's3://b', mode: 'rw' }, 'copy'],
    [{ from: 's3://b' }, 'either'],
    [{ from: 's3://b', sizeGib: 50 }, 'copy'],
    [{ from: 's3://b', sizeGib: 51 }, 'mount'],
  ] as const)('%j: %s', (volume, how) => {
    expect(entriesOf([volume])).toMatchObject([{ how }])
  })

  test('a mount inside another one comes after it, and checkpoints are looked for where they are saved', () => {
    const storage = [
      { mount: '/a/b', from: 's3://b/ck', mode: 'rw' },
      { mount: '/a', from: 's3://b/x', mode: 'rw' },
    ] as const
    expect(entriesOf(storage, { path: '/a/b/c', everySeconds: 600 })).toMatchObject([
      { mount: '/a', checkpoint: '/b/c' },
      { mount: '/a/b', checkpoint: '/c', remote: 'berth:b/ck' },
    ])
  })

  test.each([
    [{ from: 'hf://model' }, 'there is no way to read such an address here'],
    [{ from: 'hf://org/model', mode: 'rw' }, 'can be read, but not written'],
    [{ from: 's3://b', secret: 'OTHER' }, 'the value of the secret OTHER is missing'],
    [{ mount: '/a\nb' }, 'cannot be mounted'],
  ] as const)('%j is refused', (volume, why) => {
    expect(planOf([volume])).toContain(why)
  })

  test.each([
    ['o/m', 'models/o/m/revision/main', 'o/m/resolve', ''],
    ['o/m@v1.0/a/b', 'models/o/m/revision/v1.0', 'o/m/resolve', 'a/b'],
    ['o/m@refs/pr/3/a', 'models/o/m/revision/refs%2Fpr%2F3', 'o/m/resolve', 'a'],
    ['o/m@a%2Fb', 'models/o/m/revision/a%2Fb', 'o/m/resolve', ''],
    ['datasets/o/m/x', 'datasets/o/m/revision/main', 'datasets/o/m/resolve', 'x'],
  ])('hf://%s: the list of %s', (address, list, path, inside) => {
    expect(entriesOf([{ from: `hf://${address}`, sizeGib: 500 }])).toMatchObject([
      {
        how: 'copy',
        remote: `berth:${path}`,
        hub: { list: `https://huggingface.co/api/${list}?blobs=true`, inside },
      },
    ])
  })

  test('no storage, no plan', () => {
    expect(planOf([])).toBeUndefined()
  })

  test('the access is in one file, and a value stays on its line', () => {
    const plan = planOf([{ from: 's3://b/p', secret: 'S3' }])
    const files = typeof plan === 'object' ? storageFiles(plan) : []
    const holders = files.filter(({ content }) => content.includes('canary'))
    expect(holders.map(({ path }) => path)).toEqual(['entries/00/access'])
    expect(holders[0]?.content.split('\n')).toContain('RCLONE_CONFIG_BERTH_SECRET_ACCESS_KEY=canary')
  })
})

describe('access to a store', () => {
  const access = (from: string, secret?: string) => {
    const source = sourceOf(from)
    return source === undefined ? undefined : accessOf(source, secret)
  }

  test.each([
    [
      's3://b',
      `[default]\n${KEYS}endpoint_url = http://h:1\n`,
      { PROVIDER: 'Other', ENDPOINT: 'http://h:1', REGION: 'us-east-1' },
    ],
    ['s3://b', `${KEYS}region=eu-west-1`, { PROVIDER: 'AWS', REGION: 'eu-west-1', ACCESS_KEY_ID: 'AKIA1' }],
    ['s3://b', undefined, { TYPE: 's3', ENV_AUTH: 'false' }],
    ['gs://b', '{\n "private_key": "k\\n" }', { SERVICE_ACCOUNT_CREDENTIALS: '{"private_key":"k\\n"}' }],
    ['gs://b', undefined, { ANONYMOUS: 'true' }],
    ['az://c', 'AZURE_STORAGE_ACCOUNT=a\nAZURE_STORAGE_KEY=k', { ACCOUNT: 'a', KEY: 'k' }],
    ['hf://o/m', 'hf_t', { URL: 'https://huggingface.co', HEADERS: 'Authorization,Bearer hf_t' }],
    ['hf://o/m', 'HF_TOKEN=hf_t\nendpoint=http://h:1/', { URL: 'http://h:1', HEADERS: 'Authorization,Bearer hf_t' }],
    ['https://h/p', 'token = t', { URL: 'https://h', HEADERS: 'Authorization,"Bearer t"' }],
  ])('%s', (from, secret, wanted) => {
    const pairs = Object.entries(wanted).map(([name, value]) => [`RCLONE_CONFIG_BERTH_${name}`, value])
    expect(access(from, secret)).toMatchObject({ env: Object.fromEntries(pairs) })
  })

  test.each([
    ['s3://b', 'access_key_id = canary', 'it has no line secret_access_key = …'],
    ['s3://b', 'passwort = canary', /^line 1 is none of access_key_id, /],
    ['r2://b', KEYS, 'it has no line endpoint = …'],
    ['gs://b', 'canary', /key file/],
    ['hf://o/m', 'token=canary "', 'its token has characters that no token has'],
    ['hf://o/m', 'endpoint=canary', /^its endpoint is no address/],
    ['hf://o/m', 'passwort=canary', /^line 1 is none of token, endpoint/],
  ])('%s: what is wrong is said without the value', (from, secret, why) => {
    const found = access(from, secret)
    expect(found).toEqual({ problem: typeof why === 'string' ? why : expect.stringMatching(why) })
    expect(JSON.stringify(found)).not.toContain('canary')
  })
})
