import { nearest } from '../../core/document/nearest.ts'
import { sourced } from '../../core/document/look-up.ts'
import type { Fleet, Request } from '../../core/fleet/fleet.ts'
import { UserError, type Problem, type SourcedProblem } from '../../core/base/problem.ts'
import type { ArrivalStream } from '../../lab/simulate/fill.ts'
import { readOrders, readPods, type OpenbOrder, type OpenbPods } from '../../formats/openb.ts'
import type { Cli } from '../cli.ts'
import { loadFleet } from '../fleet/input.ts'

/** The machines of a folder of openb data. */
export interface OpenbNodes {
  /** Nodes sorted by name, the order that ranks refer to. */
  readonly fleet: Fleet
  readonly capacityMilli: number
}

/** A trace of a folder of openb data. */
export interface OpenbTrace {
  readonly name: string
  readonly pods: OpenbPods
  /** How often the trace makes each request, for a policy to learn from. */
  readonly history: readonly { readonly request: Request; readonly count: number }[]
}

/** One order of arrival, ready to play. */
export interface OpenbRun {
  readonly seed: number
  readonly stream: ArrivalStream
  /** The rank of each node; the lower one wins ties. */
  readonly ranks: readonly number[]
}

export function loadNodes(folder: string, cli: Pick<Cli, 'files'>): OpenbNodes {
  if (cli.files.list(folder) === undefined) {
    const hint = 'It has openb_node_list_gpu_node.csv, openb_pod_list_NAME.csv and orders/NAME.json.gz.'
    throw missing(folder, `There is no folder ${folder}.`, hint)
  }
  const path = within(folder, 'openb_node_list_gpu_node.csv')
  const { fleet } = loadFleet(path, cli)
  const nodes = fleet.nodes.toSorted((one, two) => (one.id < two.id ? -1 : 1))
  const capacityMilli = nodes.reduce((sum, { cards }) => sum + cards.length * 1000, 0)
  if (capacityMilli > 0) return { fleet: { nodes }, capacityMilli }
  throw invalid(`${path} has no cards.`, 'Nothing can be allocated on it.', path)
}

/** The traces with these names; `all` stands for every trace in the folder. */
export function traceNames(names: readonly string[], folder: string, { files }: Pick<Cli, 'files'>): readonly string[] {
  const there = (files.list(folder) ?? []).flatMap((file) => /^openb_pod_list_(.+)\.csv$/.exec(file)?.[1] ?? [])
  const unknown = names.find((name) => name !== 'all' && !there.includes(name))
  if (unknown === undefined) return [...new Set(names.flatMap((name) => (name === 'all' ? there : [name])))]
  const meant = nearest(unknown, there)
  const list = there.length === 0 ? 'That folder has no traces.' : `Traces in that folder: ${there.join(', ')}.`
  const hint = meant === undefined ? list : `Did you mean ${meant}? ${list}`
  throw missing(unknown, `There is no trace ${unknown} in ${folder}.`, hint)
}

export function loadTrace(folder: string, name: string, { files }: Pick<Cli, 'files'>): OpenbTrace {
  const path = within(folder, `openb_pod_list_${name}.csv`)
  const text = new TextDecoder().decode(files.read(path))
  const pods = readPods(text, path)
  if ('problems' in pods) throw new UserError(withLines(pods.problems, text))
  const counts = new Int32Array(pods.requests.length)
  for (const request of pods.of) counts[request] = (counts[request] ?? 0) + 1
  return { name, pods, history: pods.requests.map((request, index) => ({ request, count: counts[index] ?? 0 })) }
}

/** The orders of arrival of a trace: of the given seeds, or of every seed in the file. */
export function loadRuns(
  { name, pods }: OpenbTrace,
  given: { readonly folder: string; readonly nodes: OpenbNodes; readonly seeds: readonly number[] | undefined },
  { files }: Pick<Cli, 'files'>,
): readonly OpenbRun[] {
  const path = within(given.folder, `orders/${name}.json.gz`)
  const bytes = files.read(path)
  if (bytes === undefined) throw missing(path, `The orders of arrival of ${name} are missing: ${path}.`)
  const read = readOrders(new TextDecoder().decode(bytes), path)
  if ('problems' in read) throw new UserError(read.problems)
  const there = [...read.seeds.keys()].map(Number).sort((one, two) => one - two)
  return (given.seeds ?? there).map((seed) => {
    const order = read.seeds.get(String(seed))
    if (order === undefined)
      throw invalid(`${path} has no seed ${seed}.`, `Seeds in that file: ${there.join(', ') || 'none'}.`, String(seed))
    const about = `Seed ${seed} of ${path}`
    return { seed, stream: streamOf(order, pods, about), ranks: ranksOf(order, given.nodes, about) }
  })
}

function streamOf({ pods: indices }: OpenbOrder, { requests, of }: OpenbPods, about: string): ArrivalStream {
  const order = new Int32Array(indices.length)
  indices.forEach((pod, at) => {
    const request = of[pod]
    if (request === undefined)
      throw invalid(`${about} names pod ${pod}, but the list ends with ${of.length - 1}.`, SAME_DATA, String(pod))
    order[at] = request
  })
  return { requests, order }
}

/** Ranks as positions: the node with the lowest number is first, whatever the numbers are. */
function ranksOf({ nodeRank }: OpenbOrder, { fleet: { nodes } }: OpenbNodes, about: string): readonly number[] {
  if (nodeRank.length !== nodes.length)
    throw invalid(`${about} ranks ${nodeRank.length} nodes, but there are ${nodes.length}.`, SAME_DATA, about)
  const order = nodes.map((_, node) => node)
  order.sort((one, two) => (nodeRank[one] ?? 0) - (nodeRank[two] ?? 0) || one - two)
  const ranks = Array.from({ length: nodes.length }, () => 0)
  order.forEach((node, rank) => (ranks[node] = rank))
  return ranks
}

const SAME_DATA = 'Orders belong to one list of pods and one list of nodes; take all three from the same data set.'

function within(folder: string, path: string): string {
  return `${folder.replace(/\/+$/, '')}/${path}`
}

function missing(found: string, message: string, hint?: string): UserError {
  return new UserError([{ code: 'FILE_MISSING', message, found, ...(hint === undefined ? {} : { hint }) }])
}

function invalid(message: string, hint: string, found: string): UserError {
  return new UserError([{ code: 'VALUE_INVALID', message, found, hint }])
}

/** Every line of a list may be wrong; the first few problems are enough. */
function withLines(problems: readonly Problem[], text: string): readonly SourcedProblem[] {
  return sourced(problems.slice(0, PROBLEMS_MAX), { lines: text.split(/\r?\n/) })
}

const PROBLEMS_MAX = 10
