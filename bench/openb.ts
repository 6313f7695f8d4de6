import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { assert, must } from '../src/core/base/assert.ts'
import type { Fleet, Request } from '../src/core/fleet/fleet.ts'
import { readFleetFile } from '../src/formats/fleet-file/fleet-file.ts'
import { readOrders, readPods, type OpenbOrder } from '../src/formats/openb.ts'

/** Where the published trace lies unless `--data` says otherwise. */
export const OPENB = '../shared/data/openb'

/** A published trace: what came, in which orders, and what usually comes. */
export interface Trace {
  readonly name: string
  readonly requests: readonly Request[]
  readonly history: readonly { readonly request: Request; readonly count: number }[]
  /** By seed: requests in order of arrival, and the ranks of nodes. */
  readonly orders: readonly { readonly order: Int32Array; readonly ranks: readonly number[] }[]
}

export function openbTraces(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).map((file) => /^openb_pod_list_(.+)\.csv$/.exec(file)?.[1])
  return names.filter((name) => name !== undefined).sort()
}

export function openbFleet(folder: string): Fleet {
  const file = join(folder, 'openb_node_list_gpu_node.csv')
  const read = readFleetFile(readFileSync(file), file)
  assert('fleet' in read, `${file} is a node list`)
  return { nodes: [...read.fleet.nodes].sort((one, two) => (one.id < two.id ? -1 : 1)) }
}

export function openbTrace(folder: string, name: string): Trace {
  const pods = readPods(readFileSync(join(folder, `openb_pod_list_${name}.csv`), 'utf8'), name)
  const orders = readOrders(gunzipSync(readFileSync(join(folder, 'orders', `${name}.json.gz`))).toString(), name)
  assert('of' in pods && 'seeds' in orders, `${name} is a trace`)
  const counts = pods.requests.map(() => 0)
  for (const request of pods.of) counts[request] = (counts[request] ?? 0) + 1
  return {
    name,
    requests: pods.requests,
    history: pods.requests.map((request, index) => ({ request, count: counts[index] ?? 0 })),
    orders: [...orders.seeds.values()].map((order) => ({ order: arrivals(order, pods.of), ranks: order.nodeRank })),
  }
}

/** The fleet several times over, each copy with names of its own. */
export function manifold(fleet: Fleet, times: number): Fleet {
  const copies = Array.from({ length: times }, (_, copy) =>
    fleet.nodes.map((node) => ({ ...node, id: `${copy}/${node.id}` })),
  )
  return { nodes: copies.flat() }
}

function arrivals({ pods }: OpenbOrder, of: Int32Array): Int32Array {
  return Int32Array.from(pods, (pod) => must(of[pod], 'an order names pods of its trace'))
}
