import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { statOf } from './daemon.ts'

/**
 * A network of its own, in which nothing but loopback exists. Engines dial the addresses of fake pods, and so may the control
 * plane under test: in here such a dial is refused at once, and nothing ever leaves the machine. A sleeping process keeps it
 * open; when the last process in it ends, it is gone.
 */
export interface Namespace {
  readonly pid: number
  /** When the sleeping process began. */
  readonly began: string
  /** As the kernel names it: `net:[4026532000]`. */
  readonly net: string
}

/** Where fake pods, services and nodes have their addresses. */
export const RANGES = { pods: '10.128.0.0/10', services: '10.96.0.0/16' } as const
/** The address of every fake node and of what stands in for a real pod: Kubernetes refuses loopback addresses there. */
export const NODE_IP = '10.200.0.1'

const SET_UP = [
  'ip link set lo up',
  `ip address add ${NODE_IP}/32 dev lo`,
  ...Object.values(RANGES).map((range) => `ip route add local ${range} dev lo`),
  'echo open',
  'exec sleep infinity',
].join(' && ')

export async function openNamespace(): Promise<Namespace> {
  const holder = spawn('unshare', ['--net', '--', 'sh', '-c', SET_UP], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  holder.stderr.on('data', (said: Buffer) => (complaint += said.toString()))
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])
  const { pid } = holder
  const began = pid === undefined ? undefined : statOf(pid)?.began
  if (pid === undefined || began === undefined || complaint !== '') {
    throw new Error(`no network namespace can be made here: ${complaint.trim()}`)
  }
  holder.stdout.destroy()
  holder.stderr.destroy()
  holder.unref()
  return { pid, began, net: netOf(pid) ?? '' }
}

export function isOpen({ pid, began, net }: Namespace): boolean {
  return statOf(pid)?.began === began && netOf(pid) === net
}

/** What to put before a command so that it runs in there. */
export function inside({ pid }: Namespace): readonly string[] {
  return ['nsenter', '--target', String(pid), '--net', '--']
}

/** Ends every process in there, whoever started it. */
export async function closeNamespace(namespace: Namespace): Promise<void> {
  for (let round = 0; round < 500; round++) {
    const left = processesIn(namespace)
    if (left.length === 0) return
    for (const pid of left) kill(pid)
    await sleep(20)
  }
  throw new Error(`processes ${processesIn(namespace).join(', ')} do not end`)
}

function processesIn({ net }: Namespace): readonly number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => pid !== process.pid && netOf(pid) === net && statOf(pid)?.state !== 'Z')
}

/** Where the pods of a real node are linked to, inside of the rig's network. */
export const BRIDGE = 'rig0'

/** Whether this process itself is in such a network: every route leads to loopback or to pods. */
export function isIsolated(
  routes = { v4: readFileSync('/proc/net/route', 'utf8'), v6: readFileSync('/proc/net/ipv6_route', 'utf8') },
): boolean {
  const [, ...v4] = rowsOf(routes.v4)
  // The last two kinds of address never leave a link.
  const v6 = rowsOf(routes.v6).filter(([destination = '']) => !/^f(e80|f)/.test(destination))
  return [...v4.map((row) => row[0]), ...v6.map((row) => row.at(-1))].every((name) => name === 'lo' || name === BRIDGE)
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/))
}

function netOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return undefined
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in between.
  }
}
