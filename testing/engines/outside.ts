import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureBuilt, type Say } from './build/build.ts'
import type { Engine } from './build/recipes.ts'
import { removeCgroup } from './node/cgroups.ts'
import { cgroupOf } from './node/kubelet.ts'
import { RigApi } from './rig/api.ts'
import { authority } from './rig/certificates.ts'
import { endDaemon, isAlive, killDaemon, startDaemon, type Daemon } from './rig/daemon.ts'
import { ADMIN_TOKEN, kubeconfigOf } from './rig/kube.ts'
import { closeNamespace, inside, isOpen, openNamespace, type Namespace } from './rig/namespace.ts'
import { freePorts, portOf, rigsFolder } from './rig/place.ts'
import { readRecord, type RigRecord } from './rig/rig.ts'

/** What a person outside knows of a rig: where it runs, and what carries connections into there. */
interface RigNetwork {
  readonly namespace: Namespace
  readonly ports: number
  readonly relay?: Daemon
}

/** Builds and starts what is missing of a rig; returns where its kubeconfig lies, which works inside and outside. */
export async function bringUp(name: string, engines: readonly Engine[], say: Say): Promise<string> {
  await ensureBuilt(engines, say)
  const network = await ensureNetwork(name)
  const folder = folderOf(name)
  say(`starting ${name}`)
  const options = JSON.stringify({ name, engines, ports: network.ports })
  const code = await runInside(network.namespace, [
    process.execPath,
    join(import.meta.dirname, 'inside-run.ts'),
    options,
  ])
  if (code !== 0)
    throw new Error(`${name} is not up; npm run engines -- down --name ${name} takes away what there is of it`)
  await ensureRelay(name, network)
  return kubeconfigOf({ folder, ports: network.ports })
}

/** Ends everything in a rig's network and deletes its files; nothing is fine, too. */
export async function takeDown(name: string): Promise<void> {
  const network = readNetwork(name)
  if (network?.relay !== undefined) await endDaemon(network.relay)
  if (network !== undefined) await closeNamespace(network.namespace)
  for (const { ports, daemons } of recordsBelow(folderOf(name))) {
    // None is left, unless the record of the network was lost.
    await Promise.all(daemons.map(killDaemon))
    await removeCgroup(cgroupOf(ports))
  }
  rmSync(folderOf(name), { recursive: true, force: true })
  if (existsSync(rigsFolder()) && readdirSync(rigsFolder()).length === 0) rmSync(rigsFolder(), { recursive: true })
}

/** The rig of a folder, or the rigs that tests have started in it. */
function recordsBelow(folder: string): readonly RigRecord[] {
  const folders = existsSync(folder) ? [folder, ...readdirSync(folder).map((name) => join(folder, name))] : []
  return folders.flatMap((folder) => readRecord(folder) ?? [])
}

/** Names of the rigs of this machine, also of those of which only files are left. */
export function rigNames(): readonly string[] {
  return existsSync(rigsFolder()) ? readdirSync(rigsFolder()).toSorted() : []
}

/** A line for each program of a rig, and where its kubeconfig lies. */
export function tellStatus(name: string): readonly string[] {
  const record = readRecord(folderOf(name))
  const network = readNetwork(name)
  if (record === undefined || network === undefined || !isOpen(network.namespace)) return [`${name}: not up`]
  const daemons = record.daemons.map(
    (daemon) => `  ${daemon.plan.name.padEnd(26)} ${isAlive(daemon) ? `process ${daemon.pid}` : 'ended'}`,
  )
  return [
    `${name}: ${record.engines.join(', ')}`,
    ...daemons,
    `  kubeconfig ${kubeconfigOf({ folder: folderOf(name), ports: record.ports })}`,
  ]
}

/** Runs a command in a rig's network, with its kubeconfig and with kubectl in reach; its exit code. */
export async function execInside(name: string, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const network = readNetwork(name)
  if (network === undefined || !isOpen(network.namespace))
    throw new Error(`${name} is not up: npm run engines -- up --name ${name}`)
  return runInside(network.namespace, argv, env)
}

/** A network for a rig of this name, opened unless it is. */
export async function ensureNetwork(name: string): Promise<RigNetwork> {
  const known = readNetwork(name)
  if (known !== undefined && isOpen(known.namespace)) return known
  if (known !== undefined) await takeDown(name)
  mkdirSync(folderOf(name), { recursive: true, mode: 0o700 })
  const network = { namespace: await openNamespace(), ports: await freePorts() }
  writeNetwork(name, network)
  return network
}

async function ensureRelay(name: string, network: RigNetwork): Promise<void> {
  if (network.relay !== undefined && isAlive(network.relay)) return
  const folder = folderOf(name)
  const socket = join(folder, 'relay.sock')
  const port = String(portOf({ folder, ports: network.ports }, 'api'))
  const argv = [join(import.meta.dirname, 'relay-run.ts')]
  const [enter = '', ...entered] = inside(network.namespace)
  rmSync(socket, { force: true })
  startDaemon(
    { name: 'relay-inside', program: enter, argv: [...entered, process.execPath, ...argv, socket, port] },
    folder,
  )
  const relay = startDaemon({ name: 'relay', program: process.execPath, argv: [...argv, port, socket] }, folder)
  writeNetwork(name, { ...network, relay })
  await answersOutside(folder, Number(port))
}

/** The server is up already; what carries connections into there may take a moment on a busy machine. */
async function answersOutside(folder: string, port: number): Promise<void> {
  const api = new RigApi({ port, authority: authority(folder).certificate, token: ADMIN_TOKEN })
  const endMs = performance.now() + 60_000
  while (!(await api.isReady())) {
    if (performance.now() > endMs) throw new Error(`the API server is not reached from outside; logs: ${folder}`)
    await sleep(50)
  }
  api.close()
}

/** A command's exit code, as a shell has it. */
async function runInside(namespace: Namespace, argv: readonly string[], env = process.env): Promise<number> {
  const [enter = '', ...entered] = inside(namespace)
  const child = spawn(enter, [...entered, ...argv], { stdio: 'inherit', env })
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
  process.on('SIGINT', pass).on('SIGTERM', pass)
  const [code]: (number | null)[] = await once(child, 'exit')
  process.off('SIGINT', pass).off('SIGTERM', pass)
  return code ?? 1
}

function folderOf(name: string): string {
  return join(rigsFolder(), name)
}

function readNetwork(name: string): RigNetwork | undefined {
  const file = join(folderOf(name), 'network.json')
  if (!existsSync(file)) return undefined
  const network: RigNetwork = JSON.parse(readFileSync(file, 'utf8'))
  return network
}

function writeNetwork(name: string, network: RigNetwork): void {
  writeFileSync(join(folderOf(name), 'network.json'), JSON.stringify(network, undefined, 2))
}
