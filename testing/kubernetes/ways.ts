import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../src/core/base/assert.ts'
import type { FleetNode, Request, Spot, Tenant } from '../../src/core/fleet/fleet.ts'
import type { OwnedFleet } from '../../src/core/fleet/owned-fleet.ts'
import type { Order } from '../../src/core/life/call/order.ts'
import { packingOf } from '../../src/core/pack/owned/room.ts'
import type { FleetPacking } from '../../src/core/pack/owned/packing.ts'
import type { Provider } from '../../src/ports/provider.ts'
import { call, launchCall, yes } from '../../src/providers/contract/bench.suite.ts'
import { podOf } from '../engines/fakes/pods.ts'
import type { Rig } from '../engines/rig/rig.ts'
import { claimsIn, given, orderAt, type ClaimSeen } from './claims.ts'

/** Cards of a node that a job has got. */
interface Got {
  readonly node: string
  readonly cards: readonly number[]
}

/** A way to ask a cluster for cards. */
export interface ClaimWay {
  /** Undefined: there is no room for it. */
  come(job: string, count: number): Promise<Got | undefined>
  /** Ends when its cards are free again. */
  go(job: string): Promise<void>
}

/** Two nodes of their own for the sequences that are run one after the other. */
export interface PoolGround {
  readonly rig: Rig
  readonly provider: Provider
  readonly pool: string
  readonly nodes: readonly FleetNode[]
}

/** The label that keeps pools apart. */
export const POOL = 'berth.test/pool'

/** The engine chooses node and cards, and a claim of the provider realises them. What comes out otherwise is told. */
export class EngineWay implements ClaimWay {
  readonly #ground: PoolGround
  readonly #packing: FleetPacking
  readonly #jobs = new Map<string, { readonly order: Order; readonly tenant: Tenant }>()
  /** Jobs that got other cards than those that were chosen. */
  readonly others: string[] = []

  constructor(ground: PoolGround) {
    this.#ground = ground
    const owned: OwnedFleet = { provider: 'lab', region: 'lab', fleet: { nodes: ground.nodes }, tenants: [] }
    this.#packing = packingOf(owned)
  }

  async come(job: string, count: number): Promise<Got | undefined> {
    const { rig, provider, nodes } = this.#ground
    const request = requestFor(count)
    const [best] = [...nodes.keys()].toSorted((one, two) => this.#score(request, two) - this.#score(request, one))
    if (best === undefined || this.#score(request, best) === Number.NEGATIVE_INFINITY) return undefined
    const spot = this.#packing.place(best, request)
    const chosen = tenantAt(job, request, spot)
    this.#packing.placed(chosen)
    const order = orderAt(must(nodes[best], 'a node').id, spot)
    yes(await provider.launch(order, launchCall()))
    const got = await allocated(() => given(rig, order))
    const node = nodes.findIndex(({ id }) => id === got.node)
    const isOther = node !== best || got.cards.join() !== spot.cards.join()
    const tenant = isOther ? tenantAt(job, request, { node, cards: got.cards, taken: undefined }) : chosen
    if (isOther) {
      this.others.push(`${job}: ${got.node} ${got.cards.join()} for ${best} ${spot.cards.join()}`)
      this.#packing.remove(chosen)
      this.#packing.add(tenant)
    }
    this.#jobs.set(job, { order, tenant })
    return got
  }

  async go(job: string): Promise<void> {
    const { order, tenant } = must(this.#jobs.get(job), 'a job that came')
    const { rig, provider } = this.#ground
    await until(async () => yes(await provider.stop({ tag: order.tag, instance: undefined }, call())).gone)
    await until(async () => (await given(rig, order)) === undefined)
    this.#packing.remove(tenant)
    this.#jobs.delete(job)
  }

  #score(request: Request, node: number): number {
    return this.#packing.score(request, node)
  }
}

/** A claim that says how many cards, as most people write it. */
export class PlainWay implements ClaimWay {
  readonly #ground: PoolGround
  readonly #free: Map<string, number>
  readonly #jobs = new Map<string, Got>()

  constructor(ground: PoolGround) {
    this.#ground = ground
    this.#free = new Map(ground.nodes.map(({ id, cards }) => [id, cards.length]))
  }

  async come(job: string, count: number): Promise<Got | undefined> {
    if (Math.max(...this.#free.values()) < count) return undefined
    const { rig, pool } = this.#ground
    const exactly = { deviceClassName: 'gpu.nvidia.com', count }
    const { spec, ...pod } = podOf(job, { cards: 0 })
    const resourceClaims = [{ name: 'cards', resourceClaimName: job }]
    await rig.api.apply(
      {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: { name: job },
        spec: { devices: { requests: [{ name: 'cards', exactly }] } },
      },
      { ...pod, spec: { ...Object(spec), nodeSelector: { [POOL]: pool }, resourceClaims } },
    )
    const got = await allocated(async () => {
      const { status } = await rig.api.get<ClaimSeen>(`${claimsIn('default')}/${job}`)
      return status?.allocation?.devices.results.map((each) => `${each.pool}/${each.device}`)
    })
    this.#jobs.set(job, got)
    this.#free.set(got.node, must(this.#free.get(got.node), 'a node') - count)
    return got
  }

  async go(job: string): Promise<void> {
    const { rig } = this.#ground
    const { node, cards } = must(this.#jobs.get(job), 'a job that came')
    const path = `${claimsIn('default')}/${job}`
    await rig.api.delete(`/api/v1/namespaces/default/pods/${job}?gracePeriodSeconds=0`)
    await rig.api.delete(path)
    await until(async () => (await rig.api.find(path)) === undefined)
    this.#free.set(node, must(this.#free.get(node), 'a node') + cards.length)
    this.#jobs.delete(job)
  }
}

function requestFor(count: number): Request {
  return { cpuMilli: 100, memoryMib: 64, diskMib: 0, count, part: { kind: 'whole' }, models: undefined }
}

function tenantAt(name: string, request: Request, spot: Spot): Tenant {
  return { name, request, spot, priority: 0, restart: 'training', checkpointAgeS: undefined }
}

/** The cards of a claim, once the scheduler has decided: `pool/gpu-3`. */
async function allocated(devices: () => Promise<readonly string[] | undefined>): Promise<Got> {
  let found: readonly string[] = []
  await until(async () => (found = (await devices()) ?? []).length > 0)
  const [node = ''] = found[0]?.split('/') ?? []
  const cards = found.map((name) => Number(name.slice(name.lastIndexOf('-') + 1)))
  return { node, cards: cards.toSorted((one, two) => one - two) }
}

const LONG_MS = 300_000
const LOOK_MS = 150

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + LONG_MS
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('the cluster has not done it within five minutes')
    await sleep(LOOK_MS)
  }
}
