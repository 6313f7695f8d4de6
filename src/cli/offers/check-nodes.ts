import { UserError } from '../../core/base/problem.ts'
import { plain } from '../../core/base/words.ts'
import { readClusterFile } from '../../formats/cluster-file.ts'
import { fleetOf, type ClusterFleet } from '../../providers/kubernetes/nodes/fleet.ts'
import { nodeRows, type NodeRow } from '../../providers/kubernetes/nodes/node-rows.ts'
import { insteadOfNodes, sortObjects } from '../../providers/kubernetes/nodes/object/cluster-objects.ts'
import type { Cli } from '../cli.ts'

/** Nodes of a cluster: what each is taken for, and what Berth would make of all of them. */
export interface CheckedNodes {
  readonly rows: readonly NodeRow[]
  readonly fleet: Pick<ClusterFleet, 'fleet' | 'offers' | 'left'>
}

/** What the nodes in a file are taken for. Throws a UserError when there are none to read. */
export function readNodes(path: string, { files, clock }: Pick<Cli, 'files' | 'clock'>): CheckedNodes {
  const file = path === '-' ? 'standard input' : path
  if (files.list(path) !== undefined) throw unreadable(`${path} is a folder, not a file.`, path)
  const bytes = files.read(path)
  if (bytes === undefined) {
    const hint = 'Check the path; `-` reads from standard input.'
    throw new UserError([{ code: 'FILE_MISSING', message: `There is no file ${path} to read.`, found: path, hint }])
  }
  const read = readClusterFile(bytes, file)
  if ('problems' in read) throw new UserError(read.problems)
  const instead = insteadOfNodes(read.values)
  if (instead !== undefined)
    throw unreadable(`There is no Node in ${file}: it has ${plain(instead) || 'no object at all'}.`, path)
  const objects = sortObjects(read.values)
  const { nodes, pods = [], slices = [], claims } = objects
  const view = { provider: 'cluster', region: 'cluster', nodes, pods, slices, nowMs: clock.nowMs() }
  return { rows: nodeRows(objects), fleet: fleetOf(claims === undefined ? view : { ...view, claims }) }
}

function unreadable(message: string, found: string): UserError {
  const hint = 'Write one with: kubectl get nodes,pods,resourceslices -A -o json'
  return new UserError([{ code: 'NODES_UNREADABLE', message, found, hint }])
}
