import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Provider, ProviderDeps } from '../../src/ports/provider.ts'
import { Secret } from '../../src/ports/secret.ts'
import type { Bench, Gap, Sample } from '../../src/providers/contract/contract.suite.ts'
import { embedded } from '../../src/providers/kubernetes/api/embed.ts'
import { kubernetesKind } from '../../src/providers/kubernetes/kind.ts'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { realDeps } from '../../src/providers/local/bench.suite.ts'
import { problemText, readSettings } from '../../src/providers/settings.ts'
import { EXIT_CODE } from '../engines/rig/stages.ts'
import type { Rig } from '../engines/rig/rig.ts'
import { printed } from './programs.ts'

export const NAMESPACE = 'contract'

/** Fake nodes serve nothing and run programs on the host that the tests run on. */
export const GAPS: readonly Gap[] = [
  {
    test: 'a program next to the workload returns its exit code and its output',
    because: 'KWOK reports every exit code but 0 as an internal error',
  },
]

/** The dependencies of a provider of this rig, as `berth provider add --kubeconfig` would set it up. */
export function depsFor(rig: Rig): ProviderDeps {
  const text = embedded(readFileSync(rig.kubeconfig, 'utf8'), undefined, (path) => readFileSync(path))
  return { ...realDeps(mkdtempSync(join(rig.place.folder, 'provider-'))), credential: async () => new Secret(text) }
}

/** Dependencies whose credential is a token of an account, of the namespace `berth` unless another is named. */
export async function depsAs(rig: Rig, account: string, namespace = 'berth'): Promise<ProviderDeps> {
  const text = await configAs(rig, account, namespace)
  return { ...depsFor(rig), credential: async () => new Secret(text) }
}

export async function configAs(rig: Rig, account: string, namespace = 'berth'): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } }
  const { status } = await rig.api.ask<{ readonly status: { readonly token: string } }>({ method: 'POST', path, body })
  return configWith(rig, status.token)
}

export async function configWith(rig: Rig, token: string): Promise<string> {
  const config = parse((await depsFor(rig).credential())?.reveal() ?? '')
  return stringify({ ...config, users: config.users.map((one: object) => ({ ...one, user: { token } })) })
}

export async function openOn(deps: ProviderDeps, stated: Readonly<Record<string, unknown>>): Promise<Provider> {
  const read = readSettings(kubernetesKind, stated)
  if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
  return kubernetesKind.open('lab', read.settings, deps)
}

export async function kubernetesBench(rig: Rig, stated: Readonly<Record<string, unknown>> = {}): Promise<Bench> {
  const deps = depsFor(rig)
  const settings = { namespace: NAMESPACE, ...stated }
  const open = async (): Promise<Provider> => acting(rig, await openOn(deps, settings), deps.folder)
  let provider = await open()
  return {
    provider,
    async reopen() {
      await provider.close?.()
      provider = await open()
      return provider
    },
    order: async (sample) => sampleOrder(sample),
    pass: (ms) => sleep(ms),
    // What anybody with the right to read pods sees of them.
    onlookers: async () => JSON.stringify(await rig.api.list(`/api/v1/namespaces/${NAMESPACE}/pods`)),
    async cleanup() {
      await clear(rig)
      await provider.close?.()
      rmSync(deps.folder, { recursive: true, force: true })
    },
  }
}

/** A provider whose pods do what the samples say: fake nodes know nothing of programs. */
function acting(rig: Rig, provider: Provider, folder: string): Provider {
  const launch: Provider['launch'] = async (order, call) => {
    const name = nameOf(order.tag.attempt)
    const { SAMPLE_EXIT: code, SAMPLE_LINES: lines } = order.env
    const token = call.secrets.get('TOKEN')?.reveal()
    const file = join(folder, `${name}.log`)
    const said = token === undefined ? linesOf(Number(lines ?? 0)) : [`TOKEN has ${token.length} characters`]
    if (said.length > 0) writeFileSync(file, said.map(asWritten).join(''))
    if (said.length > 0) await rig.api.apply(printed({ name, namespace: NAMESPACE }, file))
    const answer = await provider.launch(order, call)
    if (answer.ok && code !== undefined) {
      const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}`
      await rig.api.patch(path, { metadata: { annotations: { [EXIT_CODE]: code } } })
    }
    return answer
  }
  return new Proxy(provider, {
    get(target, key) {
      if (key === 'launch') return launch
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function linesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`)
}

function asWritten(text: string, index: number): string {
  const at = new Date(1_800_000_000_000 + index).toISOString().replace('Z', '000001Z')
  return `${at} stdout F ${text}\n`
}

/** Everything that tests have left there, with nobody left to hold on to it. */
async function clear(rig: Rig): Promise<void> {
  const pods = await rig.api.list(`/api/v1/namespaces/${NAMESPACE}/pods`)
  for (const { metadata } of pods) {
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}`
    await rig.api.patch(path, { metadata: { finalizers: null } }).catch(() => undefined)
    await rig.api.delete(`${path}?gracePeriodSeconds=0`).catch(() => undefined)
  }
}

export function sampleOrder(sample: Sample): Omit<Order, 'tag'> {
  const request = {
    cpuMilli: 100,
    memoryMib: 64,
    diskMib: 0,
    count: 0,
    part: { kind: 'whole' },
    models: undefined,
  } as const
  const spot = { node: 0, cards: [], taken: undefined }
  return {
    place: {
      offer: 'lab/gpu-000',
      provider: 'lab',
      region: 'lab',
      zone: undefined,
      instance: 'gpu-000',
      market: 'on-demand',
      node: { id: 'gpu-000', spot, request },
    },
    image: sample.kind === 'bad' ? 'not the name of an image' : 'registry.test/sample:1',
    command: ['/sample', sample.kind],
    args: [],
    env: { GREETING: 'hello "world" $HOME `id`', ...envOf(sample) },
    secrets: [],
    ports: sample.kind === 'serve' ? [{ name: 'http', port: 8080, health: '/', expose: 'private' }] : [],
    storage: [],
    cpu: 0.1,
    memoryGib: 0.0625,
    diskGib: undefined,
    gpus: 0,
    usdPerHourMax: 1,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
  }
}

function envOf(sample: Sample): Readonly<Record<string, string>> {
  switch (sample.kind) {
    case 'exit':
      return { SAMPLE_EXIT: `${sample.code}` }
    case 'lines':
      return { SAMPLE_EXIT: '0', SAMPLE_LINES: `${sample.lines}` }
    case 'long':
    case 'serve':
    case 'secret':
    case 'bad':
      return {}
  }
}
