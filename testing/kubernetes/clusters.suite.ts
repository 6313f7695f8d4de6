import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Berth } from '../../src/ports/berth.ts'
import { RealPlane, until } from '../plane/plane.ts'
import { NODE, programOf } from '../plane/program.ts'
import type { Rig } from '../engines/rig/rig.ts'
import type { RigPod } from '../engines/fakes/pods.ts'

/** More than any cluster costs. */
const CLOUD_USD_PER_HOUR = 9

const CONFIG = `berth: v1
kind: config
providers:
  cloud:
    kind: sim
    settings:
      start_seconds: 0
      settle_seconds: 1
      offers: [{ instance: one, gpu: { model: h100-sxm, count: 1 }, usd_per_hour: ${CLOUD_USD_PER_HOUR} }]
policies:
  default: { objective: cheapest, unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota] } }
default_policy: default
`

/** What a command said, and its exit code. */
interface Said {
  readonly code: number
  readonly said: string
}

/** How a cluster is used. */
interface ClusterUse {
  readonly usdPerCardHour: number
  /** Left out: `default`. */
  readonly namespace?: string
  /** Labels of the nodes that are used; left out: all are. */
  readonly nodes?: Readonly<Record<string, string>>
}

/** Where a workload's instances are, and since when. */
export interface Placed {
  readonly provider: string
  readonly placedMs: number
}

/** A control plane in its own process, with a cloud of its own and such clusters as are added, used as by its users. */
export class PlaneOnClusters {
  readonly #folder = mkdtempSync(join(tmpdir(), 'berth-clusters-'))
  readonly plane: RealPlane
  #client: Berth | undefined

  constructor() {
    const config = join(this.#folder, 'berth.yaml')
    writeFileSync(config, CONFIG)
    this.plane = new RealPlane({ folder: this.data, config })
  }

  get client(): Berth {
    return (this.#client ??= this.plane.client({ tries: 'several', timeoutMs: 20_000 }))
  }

  /** Where its cloud keeps its bills. */
  get data(): string {
    return join(this.#folder, 'data')
  }

  async end(): Promise<void> {
    await this.plane.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** A command of the CLI; what it said, whatever became of it. */
  berth(...argv: readonly string[]): Promise<Said> {
    const env = { ...process.env, BERTH_URL: this.plane.url, BERTH_TOKEN: this.plane.token, HOME: this.#folder }
    return new Promise((resolve) => {
      execFile(NODE, [...programOf('berth'), ...argv], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), said: stdout + stderr }),
      )
    })
  }

  /** As the guide says: from a kubeconfig alone. */
  async add(name: string, { kubeconfig }: Pick<Rig, 'kubeconfig'>, use: ClusterUse): Promise<void> {
    const { usdPerCardHour, namespace = 'default', nodes = {} } = use
    const prices = [{ label: 'kubernetes.io/os', usd_per_card_hour: usdPerCardHour }]
    const settings = this.write(`${name}.yaml`, JSON.stringify({ prices, nodes }))
    const flags = ['--kind', 'kubernetes', '--kubeconfig', kubeconfig, '--namespace', namespace, '--settings', settings]
    const { code, said } = await this.berth('provider', 'add', name, ...flags)
    if (code !== 0) throw new Error(said)
  }

  /** A file of the user's; where it lies. */
  write(name: string, text: string): string {
    const file = join(this.#folder, name)
    writeFileSync(file, text)
    return file
  }

  /** Services of one card each. */
  async apply(names: readonly string[], more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await Promise.all(
      names.map((name) => {
        const text = JSON.stringify({ ...manifestOf(name, 1), ...more })
        return this.client.apply({ project: 'default', text, file: `${name}.yaml`, idempotencyKey: randomUUID() })
      }),
    )
  }

  /** Waits until so many cards of each of these clusters are seen to be free on one node. */
  async free(names: readonly string[], cards: number): Promise<void> {
    const text = JSON.stringify(manifestOf('probe', cards))
    await until(`${names.join(' and ')} are free`, { withinMs: 60_000 }, async () => {
      const { offers } = await this.client.searchOffers({ project: 'default', text, file: 'probe.yaml' })
      const found = offers.map(({ provider }) => provider)
      return names.every((name) => found.includes(name)) ? { found: true } : `free: ${found.join(' ')}`
    })
  }

  /** Waits until each of them has an instance that is ready, and says where. */
  async ready(names: readonly string[], withinMs = 60_000): Promise<readonly Placed[]> {
    return until(`${names.length} are ready`, { withinMs }, async () => {
      const views = await Promise.all(names.map((name) => this.client.workload({ project: 'default', name })))
      const waiting = views.filter(({ ready }) => ready < 1)
      if (waiting.length > 0) return `${waiting.length} are not: ${JSON.stringify(waiting[0])}`
      return { found: await Promise.all(names.map((name) => this.#where(name))) }
    })
  }

  async remove(names: readonly string[]): Promise<void> {
    const there = (await this.client.workloads({})).items.filter(({ name }) => names.includes(name))
    await Promise.all(there.map(({ name }) => this.client.remove({ project: 'default', name })))
    await until('all are gone', { withinMs: 120_000 }, async () => {
      const { items } = await this.client.workloads({})
      const left = items.filter(({ name }) => names.includes(name))
      return left.length === 0 ? { found: true } : JSON.stringify(left[0])
    })
  }

  async #where(name: string): Promise<Placed> {
    const { attempts = [] } = await this.client.explain({ project: 'default', name })
    const now = attempts.find(({ ended_ms }) => ended_ms === undefined)
    return { provider: now?.provider ?? 'nowhere', placedMs: now?.placed_ms ?? Infinity }
  }
}

function manifestOf(name: string, cards: number): Readonly<Record<string, unknown>> {
  const resources = { cpu: 1, memory: '1Gi', gpu: { count: cards } }
  return { berth: 'v1', kind: 'service', name, image: 'registry.test/sample:1', resources }
}

/** Pods of Berth that have not ended. */
export async function podsOn(rig: Rig, namespace = 'default'): Promise<readonly RigPod[]> {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent('berth.dev/workload')}`
  const pods = await rig.api.list<RigPod>(path)
  return pods.filter(({ status, metadata }) => !isOver(status.phase) && !('deletionTimestamp' in metadata))
}

function isOver(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}
