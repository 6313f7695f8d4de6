import type { Meeting } from './order.ts'
import { isBilled, type Placement } from '../placement.ts'

/**
 * How the members of a gang find each other, where that can be said before any of them runs.
 *
 * - `host`: all of them are on one host. They meet at its loopback address, at a port that no other gang there has.
 * - `names`: each machine answers to a name that is known beforehand, made of `{workload}`, `{project}`, `{group}`,
 *   `{rank}` and `{provider}`, or of `{gang}`, a short word for all of these but the rank, where names must be short.
 */
export type Rendezvous = { readonly kind: 'host' } | { readonly kind: 'names'; readonly pattern: string }

/** Ports for gangs that share a host: above those given to workloads, below those that operating systems hand out. */
export const GANG_PORTS = { from: 30_000, to: 31_999 } as const

/** Where every machine has its own ports: the default port of torchrun. */
const USUAL_PORT = 29_500

/** A gang that needs a meeting point. */
export interface Gathering {
  /** Uid of this installation of Berth. */
  readonly owner: string
  readonly project: string
  readonly workload: string
  readonly group: string
  readonly provider: string
  readonly nodes: number
}

/** `taken`: ports of other gangs on the same host. `chance`, 0..1, keeps gangs from trying the same busy port forever. */
export function meetingOf(
  rendezvous: Rendezvous,
  gathering: Gathering,
  { taken, chance }: { readonly taken: ReadonlySet<number>; readonly chance: number },
): Meeting {
  const ranks = Array.from({ length: gathering.nodes }, (_, rank) => rank)
  switch (rendezvous.kind) {
    case 'host':
      return { hosts: ranks.map(() => '127.0.0.1'), port: freePort(taken, chance) }
    case 'names':
      return { hosts: ranks.map((rank) => nameOf(rendezvous.pattern, { ...gathering, rank })), port: USUAL_PORT }
  }
}

function freePort(taken: ReadonlySet<number>, chance: number): number {
  const { from, to } = GANG_PORTS
  const size = to - from + 1
  const first = Math.min(size - 1, Math.floor(chance * size))
  for (let step = 0; step < size; step++) {
    const port = from + ((first + step) % size)
    if (!taken.has(port)) return port
  }
  // More gangs than ports on one host: the provider finds the port in use and refuses.
  return from + first
}

function nameOf(pattern: string, facts: Gathering & { readonly rank: number }): string {
  const { owner, workload, project, group, provider, rank } = facts
  const gang = shortWord([owner, provider, project, workload, group].join('/'))
  const words: Readonly<Record<string, string>> = { workload, project, group, provider, gang, rank: `${rank}` }
  return pattern.replaceAll(/\{([a-z]+)\}/g, (all, word: string) => words[word] ?? all)
}

/** Thirteen letters and digits that stand for a text (FNV-1a with 64 bits). */
function shortWord(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36).padStart(13, '0')
}

/**
 * What a member of a gang is told: Berth's own names, the names that PyTorch's `env://` reads with one process per node,
 * and the names that torchrun reads for its flags, so that `torchrun --nproc-per-node 8 train.py` needs no further flags.
 */
export function gangVariables(rank: number, nodes: number, meeting: Meeting | undefined): Record<string, string> {
  const own = { BERTH_RANK: `${rank}`, BERTH_NODES: `${nodes}` }
  if (meeting === undefined) return own
  const { hosts, port } = meeting
  const master = hosts[0] ?? '127.0.0.1'
  return {
    ...own,
    BERTH_HOSTS: hosts.join(','),
    MASTER_ADDR: master,
    MASTER_PORT: `${port}`,
    RANK: `${rank}`,
    NODE_RANK: `${rank}`,
    WORLD_SIZE: `${nodes}`,
    NNODES: `${nodes}`,
    PET_NNODES: `${nodes}`,
    PET_NODE_RANK: `${rank}`,
    PET_MASTER_ADDR: master,
    PET_MASTER_PORT: `${port}`,
  }
}

/** The ports that gangs among these placements hold. */
export function gangPorts(placements: Iterable<Placement>): ReadonlySet<number> {
  const ports = new Set<number>()
  for (const placement of placements) {
    const { meeting } = placement.order
    if (meeting !== undefined && isBilled(placement)) ports.add(meeting.port)
  }
  return ports
}
