import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Offer } from '../../src/core/offer/offer.ts'
import type { Network } from '../../src/ports/network.ts'
import type { Provider, ProviderDeps, ProviderKind } from '../../src/ports/provider.ts'
import { Secret } from '../../src/ports/secret.ts'
import type { Bench, Sample } from '../../src/providers/contract/contract.suite.ts'
import { nodeNetwork } from '../../src/providers/rest/network.ts'
import { problemText, readSettings } from '../../src/providers/settings.ts'
import { WRONG_IMAGE } from './engine.ts'
import { FakeCloud, type PretendedCloud } from './fake-cloud.ts'
import type { FakeVendor } from './fake-api.ts'
import { refereeFor } from './referee/referee.ts'

/** A kind with its pretended cloud. */
export interface CloudCase {
  readonly kind: ProviderKind
  readonly vendor: FakeVendor
  /** Where its spec lies, and what the address of its server has beyond the host. */
  readonly spec: { readonly file: string; readonly base?: string }
  /** What the address of the API has beyond the host. */
  readonly base?: string
  readonly settings?: Readonly<Record<string, unknown>>
  /** Its API tells no prices. */
  readonly isUnpriced?: boolean
}

/** A pretended cloud, and a provider that talks to it. */
export interface CloudBench extends Bench {
  readonly cloud: PretendedCloud
  readonly open: (settings?: Readonly<Record<string, unknown>>) => Promise<Provider>
  /** Everything that was logged. */
  readonly logged: readonly string[]
}

/** Time that passes only on demand. */
export interface StillTime {
  nowMs: number
}

/** How long a reply is waited for at most. */
export interface Patience {
  mostMs: number
}

/** With `patience` left out, a reply is waited for as long as in earnest. */
export async function cloudBench(of: CloudCase, patience?: Patience): Promise<CloudBench> {
  const time: StillTime = { nowMs: 1_788_264_000_000 }
  const { file, base } = of.spec
  const cloud = await FakeCloud.open(of.vendor, () => time.nowMs, refereeFor(file, base))
  const folder = mkdtempSync(join(tmpdir(), 'berth-cloud-'))
  const logged: string[] = []
  const usual = depsOf(time, { folder, key: of.vendor.key, logged })
  const deps = patience === undefined ? usual : { ...usual, network: impatient(patience) }
  const open = async (more: Readonly<Record<string, unknown>> = {}): Promise<Provider> => {
    const endpoint = `${cloud.url}${of.base ?? ''}`
    const read = readSettings(of.kind, { endpoint, internal: true, ...of.settings, ...more })
    if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
    return of.kind.open('rented', read.settings, deps)
  }
  const provider = await open()
  return {
    provider,
    cloud,
    open,
    logged,
    reopen: () => open(),
    order: async (sample) => orderOn(provider, sample),
    pass: async (ms) => void (time.nowMs += ms),
    cleanup: async () => {
      await cloud.close()
      rmSync(folder, { recursive: true, force: true })
      // Neither the adapter nor the pretended cloud may differ from the published spec.
      expect(cloud.referee?.violations ?? []).toEqual([])
    },
  }
}

/** The network of this host, on which nobody waits for longer. */
function impatient(patience: Patience): Network {
  return {
    send: (outgoing, bounds) =>
      nodeNetwork.send(outgoing, { ...bounds, deadlineMs: Math.min(bounds.deadlineMs, patience.mostMs) }),
  }
}

export function depsOf(
  time: StillTime,
  { folder, key, logged }: { readonly folder: string; readonly key: string; readonly logged: string[] },
): ProviderDeps {
  let serial = 0
  const log = (message: string, fields?: unknown): void => void logged.push(`${message} ${JSON.stringify(fields)}`)
  return {
    clock: { nowMs: () => time.nowMs, tickMs: () => time.nowMs, cpuMs: () => 0 },
    timers: { sleep: async (ms) => void (time.nowMs += ms) },
    random: { next: () => 0.5, id: () => `id${serial++}` },
    log: { info: log, warn: log, error: log },
    folder,
    credential: async () => new Secret(key),
  }
}

/** An order on the first offer that can be had. */
export async function orderOn(provider: Provider, sample: Sample): Promise<Omit<Order, 'tag'>> {
  const answer = await provider.offers({ signal: new AbortController().signal, requestId: 'offers' })
  if (!answer.ok) throw new Error(answer.fault.message)
  const offer = answer.value.offers.find(
    ({ stock, quarantine }) => stock?.level !== 'sold_out' && quarantine === undefined,
  )
  if (offer === undefined) throw new Error('there is no offer')
  return orderFor(offer, sample)
}

export function orderFor(offer: Offer, sample: Sample): Omit<Order, 'tag'> {
  const { provider, region, zone, instance } = offer
  const market = offer.usdPerHour === undefined ? 'spot' : 'on-demand'
  return {
    place: { offer: offer.id, provider, region, zone, instance, market, node: undefined },
    image: sample.kind === 'bad' ? WRONG_IMAGE : 'registry.example/work:1',
    command: [],
    args: [],
    env: envOf(sample),
    secrets: sample.kind === 'secret' ? ['TOKEN'] : [],
    ports: sample.kind === 'serve' ? [{ name: 'http', port: 8000, health: '/', expose: 'public' }] : [],
    storage: [],
    cpu: undefined,
    memoryGib: undefined,
    diskGib: undefined,
    gpus: offer.gpu?.count ?? 0,
    usdPerHourMax: (offer.usdPerHour ?? offer.spotUsdPerHour ?? 0) * 1.05,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
  }
}

function envOf(sample: Sample): Readonly<Record<string, string>> {
  if (sample.kind === 'exit') return { SIM_SECONDS: '1', SIM_EXIT: `${sample.code}` }
  return sample.kind === 'lines' ? { SIM_SECONDS: '1', SIM_LINES: `${sample.lines}` } : {}
}
