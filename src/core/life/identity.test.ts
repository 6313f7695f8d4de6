import { describe, expect, test } from 'vitest'
import { checkDocument } from '../document/check.ts'
import { documentOf } from '../document/brief.suite.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { normalise } from '../manifest/normalise.ts'
import { manifestSchema, type ManifestFile } from '../manifest/schema.ts'
import { defaultsOf } from '../manifest/stated.ts'
import { fingerprint } from '../offer/hash.ts'
import { identitiesBy, identityOf, isIdentityOf, isVersionOf, versionOf } from './identity.ts'
import { service, workloadOf } from './keep.suite.ts'
import { partOf } from './slots.ts'

const ROLES = `berth: v1
name: demo
image: a/b:1
kind: service
env: { COMMON: "1" }
roles:
  prefill: { replicas: 2, resources: { gpu: { count: 2 } }, env: { MINE: "2" } }
  decode: { resources: { gpu: { count: 1 } } }
`
const FULL = `berth: v1
name: full
image: a/b:1
kind: job
command: [run]
args: [fast]
env: { B: "2", A: "1" }
secrets: [TOKEN]
ports: [{ name: http, port: 80, expose: private }, { name: raw, port: 81 }]
storage: [{ mount: /data, size: 10Gi }, { mount: /in, from: s3://b/k }]
nodes: 2
topology: { within: rack }
checkpoint: { path: /data, every: 10m }
resources: { cpu: 2, memory: 4Gi, disk: 9Gi, shm: 1Gi, host_arch: [arm64], gpu: { count: 2, min_vram: 20Gi, arch: [hopper] } }
`
const BARE =
  'berth: v1\nname: bare\nimage: a\nkind: service\nresources: { gpu: {} }\nports: [{ name: http, port: 80 }]\n'
const HEALTH = `${service(2)}ports: [{ name: http, port: 80, health: /ok }]\n`
const TEXTS = [ROLES, FULL, BARE, HEALTH]

function shape(text: string, role?: string): string {
  return identityOf(workloadOf(text).manifest, role)
}

describe('the identity of what runs in a slot', () => {
  const BASE = service(1, 'env: { A: "1", B: "2" }\n')

  test('stays when only how many, where, or how long is asked changes', () => {
    expect(shape(service(4, 'env: { B: "2", A: "1" }\n'))).toBe(shape(BASE))
    const other =
      'env: { A: "1", B: "2" }\npolicy: cheap\nspread: provider\nmigration: { on: [drain] }\nrouting: { affinity: session, hedge: 95% }\n'
    expect(shape(service(1, other))).toBe(shape(BASE))
  })

  test.each([
    ['image', BASE.replace('app:1', 'app:2')],
    ['environment', BASE.replace('B: "2"', 'B: "3"')],
    ['cards', BASE.replace('count: 2', 'count: 1')],
    ['command', `${BASE}command: [run]\n`],
    ['arguments', `${BASE}args: [fast]\n`],
    ['ports', `${BASE}ports: [{ name: http, port: 80 }]\n`],
    ['secrets', `${BASE}secrets: [TOKEN]\n`],
    ['storage', `${BASE}storage: [{ mount: /data, size: 10Gi }]\n`],
  ])('changes with its %s', (_, text) => {
    expect(shape(text)).not.toBe(shape(BASE))
  })

  test('is that of its own role', () => {
    const other = ROLES.replace('MINE: "2"', 'MINE: "3"')
    expect(shape(other, 'prefill')).not.toBe(shape(ROLES, 'prefill'))
    expect(shape(other, 'decode')).toBe(shape(ROLES, 'decode'))
  })

  test('does not change when a default is spelt out', () => {
    const said = BARE.replace('gpu: {}', 'host_arch: [amd64], gpu: { count: 1, vendor: nvidia, sharing: never }')
    expect(shape(`${said.replace('port: 80', 'port: 80, expose: public')}args: []\nenv: {}\n`)).toBe(shape(BARE))
  })

  test.each(['min_vram: 80Gi', 'min_bandwidth: 3TB/s', 'min_tflops: { fp8: 1500 }'])('changes with %s', (stated) => {
    expect(shape(BARE.replace('gpu: {}', `gpu: { ${stated} }`))).not.toBe(shape(BARE))
  })

  test('is the same however the figures of one key are ordered', () => {
    const [one, two] = ['{ fp16: 900, fp8: 1500 }', '{ fp8: 1500, fp16: 900 }'].map((figures) =>
      shape(BARE.replace('gpu: {}', `gpu: { min_tflops: ${figures} }`)),
    )
    expect(one).toBe(two)
  })

  test('tells a card without any wish from no card', () => {
    expect(shape(BARE.replace('gpu: {}', ''))).not.toBe(shape(BARE))
  })
})

/** The normaliser of a later version: every object has its keys the other way round, and a key more, with a default. */
function later(file: ManifestFile): Manifest {
  const { resources, ports, storage, roles, ...rest } = normalise(file)
  const more = (one: Manifest['resources']): Manifest['resources'] => {
    const gpu = one.gpu && { slots: [], ...reversed(one.gpu), bandwidth: { least: 0 } }
    return Object.assign(reversed({ ...one, gpu }), { swap: 'none', hints: {} })
  }
  const port = { tls: false }
  const base = { resources: more(resources), ports: ports.map((one) => reversed({ ...one, ...port })) }
  const others = roles.map((role) =>
    reversed({ ...role, resources: more(role.resources), ports: role.ports.map((one) => ({ ...port, ...one })) }),
  )
  return reversed({
    ...rest,
    ...base,
    storage: storage.map((one) => reversed({ ...one, cache: 'auto' })),
    roles: others,
  })
}

function reversed<T extends object>(value: T): T {
  // The same keys with the same values.
  return Object.fromEntries(Object.entries(value).toReversed()) as T
}

describe('a later version, whose normaliser has other keys in another order', () => {
  const next = identitiesBy(defaultsOf(later))

  test.each(TEXTS)('knows what runs by the identity it has', (text) => {
    const file = fileOf(text)
    const [manifest, after] = [normalise(file), later(file)]
    for (const role of [undefined, ...manifest.roles.map(({ name }) => name)]) {
      const now = identityOf(manifest, role)
      expect(next.identityOf(after, role)).toBe(now)
      expect(next.isIdentityOf(now, after, role)).toBe(true)
      // A row of today has neither the keys nor their order, and is read by that version as well.
      expect(next.isIdentityOf(now, JSON.parse(JSON.stringify(manifest)), role)).toBe(true)
      expect(next.isIdentityOf(firstOf(manifest, role), after, role)).toBe(true)
    }
    expect(next.isVersionOf(versionOf(manifest), after)).toBe(true)
  })

  test('replaces what runs when one of the new keys is stated', () => {
    const manifest = later(fileOf(BARE))
    const stated = { ...manifest, resources: Object.assign({}, manifest.resources, { swap: '4Gi' }) }
    expect(next.isIdentityOf(identityOf(normalise(fileOf(BARE)), undefined), stated, undefined)).toBe(false)
    expect(next.isIdentityOf(firstOf(normalise(fileOf(BARE)), undefined), stated, undefined)).toBe(false)
  })
})

describe('identities of the first version', () => {
  test.each(TEXTS)('still stand for what they stood for', (text) => {
    const { manifest } = workloadOf(text)
    const roles = manifest.roles.length === 0 ? [undefined] : manifest.roles.map(({ name }) => name)
    for (const role of roles) {
      expect(isIdentityOf(firstOf(manifest, role), manifest, role)).toBe(true)
      expect(isIdentityOf(firstOf({ ...manifest, image: 'other' }, role), manifest, role)).toBe(false)
    }
    const print = fingerprint()
    for (const role of roles) print.text(firstOf(manifest, role).slice(2))
    expect(isVersionOf(`1.${print.digest()}`, manifest)).toBe(true)
  })

  test('differ from those of an unknown version', () => {
    const { manifest } = workloadOf(BARE)
    const hash = identityOf(manifest, undefined).slice(2)
    expect(['', hash, `1.${hash}`, `3.${hash}`, '2.'].map((text) => isIdentityOf(text, manifest, undefined))).toEqual(
      Array.from({ length: 5 }, () => false),
    )
  })
})

function fileOf(text: string): ManifestFile {
  const checked = checkDocument(manifestSchema, documentOf(text))
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems))
  return checked.value
}

/** What the first version wrote, by its own code. */
function firstOf(manifest: Manifest, role: string | undefined): string {
  const { resources, command, args, env, ports } = partOf(manifest, role)
  const { kind, image, secrets, storage, nodes, topology, checkpoint } = manifest
  const print = fingerprint()
  print.text(JSON.stringify({ kind, image, secrets, storage, nodes, topology, checkpoint }))
  const entries = Object.entries(env).toSorted(([one], [two]) => (one < two ? -1 : one > two ? 1 : 0))
  print.text(JSON.stringify({ resources, command, args, ports, env: entries }))
  return `1.${print.digest()}`
}
