import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withKube, type Engine } from '../build/recipes.ts'
import { bringUpKai } from '../batch/kai.ts'
import { bringUpKubeRay } from '../batch/kuberay.ts'
import { bringUpKueue } from '../batch/kueue.ts'
import { bringUpVolcano } from '../batch/volcano.ts'
import { removeCgroup } from '../node/cgroups.ts'
import { bringUpKubelet, cgroupOf } from '../node/kubelet.ts'
import { RigApi } from './api.ts'
import { authority } from './certificates.ts'
import { isAlive, killDaemon, lastWords, signal, startDaemon, type Daemon, type DaemonPlan } from './daemon.ts'
import type { EngineHost } from './host.ts'
import { ADMIN_TOKEN, apiServerPlan, etcdPlan, followerPlans, kubeconfigOf, writeKubeFiles } from './kube.ts'
import { isIsolated } from './namespace.ts'
import { freePorts, portOf, programOf, rigsFolder, type RigPlace } from './place.ts'

export interface RigOptions {
  readonly name: string
  /** Left out: the control plane alone. */
  readonly engines?: readonly Engine[]
  /** Flags of a program beyond its usual ones, which they override, by the program's name. */
  readonly flags?: Readonly<Record<string, readonly string[]>>
  /** The first of its ports; left out: whatever is free. */
  readonly ports?: number
}

/** What is remembered of a rig in its folder. */
export interface RigRecord {
  readonly name: string
  readonly ports: number
  readonly engines: readonly Engine[]
  readonly flags: Readonly<Record<string, readonly string[]>>
  readonly daemons: readonly Daemon[]
}

/** One cluster: a real control plane with fake nodes, and the engines that were asked for. */
export class Rig implements EngineHost {
  readonly name: string
  readonly place: RigPlace
  readonly api: RigApi
  #record: RigRecord

  constructor(record: RigRecord, folder: string) {
    this.name = record.name
    this.place = { folder, ports: record.ports }
    this.#record = record
    const access = { port: portOf(this.place, 'api'), authority: authority(folder).certificate, token: ADMIN_TOKEN }
    this.api = new RigApi(access)
  }

  get kubeconfig(): string {
    return kubeconfigOf(this.place)
  }

  /** kubectl as the administrator, or as the flags say. */
  kubectl(argv: readonly string[], input?: string): { readonly code: number | null; readonly said: string } {
    const options = { encoding: 'utf8', ...(input === undefined ? {} : { input }) } as const
    const { status, stdout, stderr } = spawnSync(
      programOf('kubectl'),
      ['--kubeconfig', this.kubeconfig, ...argv],
      options,
    )
    return { code: status, said: `${stdout}${stderr}` }
  }

  /** kill -9. It stays dead until it is started. */
  async kill(name: string): Promise<void> {
    await killDaemon(this.#daemon(name))
  }

  /** Holds it still, as a machine that hangs would. */
  freeze(name: string): void {
    signal(this.#daemon(name), 'SIGSTOP')
  }

  thaw(name: string): void {
    signal(this.#daemon(name), 'SIGCONT')
  }

  /** Starts it again, with more flags if there are any, and waits for etcd and the API server until they answer. */
  async start(name: string, flags: readonly string[] = []): Promise<void> {
    const known = this.#daemon(name)
    if (!isAlive(known)) this.#launch({ ...known.plan, argv: [...known.plan.argv, ...flags] })
    if (name === 'etcd') await this.#etcdAnswers()
    if (name === 'etcd' || name === 'kube-apiserver') await this.#apiAnswers()
  }

  /** Starts a program unless it runs. */
  readonly ensure = async (plan: DaemonPlan): Promise<void> => {
    const known = this.#record.daemons.find((daemon) => daemon.plan.name === plan.name)
    if (known !== undefined && isAlive(known)) return
    this.#launch({ ...plan, argv: [...plan.argv, ...(this.#record.flags[plan.name] ?? [])] })
  }

  /** Waits for something that a running program is to bring about; fails at once if the program ends. */
  readonly until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const endMs = performance.now() + 60_000
    while (!(await isSo())) {
      const dead = this.#record.daemons.find((daemon) => !isAlive(daemon))
      if (dead !== undefined) throw new Error(`${dead.plan.name} ended:\n${lastWords(dead, this.place.folder)}`)
      if (performance.now() > endMs)
        throw new Error(`${this.name}: ${what} did not happen within 60 s; logs: ${this.place.folder}`)
      await sleep(50)
    }
  }

  async bringUp(engines: readonly Engine[]): Promise<void> {
    await this.ensure(etcdPlan(this.place))
    await this.#etcdAnswers()
    await this.ensure(apiServerPlan(this.place))
    await this.#apiAnswers()
    for (const plan of followerPlans(this.place)) await this.ensure(plan)
    await this.until('an account for pods', () => this.#has('/api/v1/namespaces/default/serviceaccounts/default'))
    for (const engine of withKube(engines)) await STARTS[engine](this)
    this.#keep({ engines: withKube([...this.#record.engines, ...engines]) })
  }

  /** Ends what is alive and deletes the folder. */
  async stop(): Promise<void> {
    this.api.close()
    // Nothing that they would write at their end is of any use.
    await Promise.all(this.#record.daemons.map(killDaemon))
    await removeCgroup(cgroupOf(this.place.ports))
    rmSync(this.place.folder, { recursive: true, force: true })
  }

  #daemon(name: string): Daemon {
    const daemon = this.#record.daemons.find(({ plan }) => plan.name === name)
    if (daemon === undefined) throw new Error(`${this.name} has no ${name}`)
    return daemon
  }

  #launch(plan: DaemonPlan): void {
    const daemon = startDaemon(plan, this.place.folder)
    this.#keep({ daemons: [...this.#record.daemons.filter((one) => one.plan.name !== plan.name), daemon] })
  }

  #keep(change: Partial<RigRecord>): void {
    this.#record = { ...this.#record, ...change }
    writeRecord(this.place.folder, this.#record)
  }

  #etcdAnswers(): Promise<void> {
    const url = `http://127.0.0.1:${portOf(this.place, 'etcd')}/health`
    return this.until('etcd answers', async () => {
      try {
        return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
      } catch {
        return false
      }
    })
  }

  #apiAnswers(): Promise<void> {
    return this.until('the API server answers', () => this.api.isReady())
  }

  async #has(path: string): Promise<boolean> {
    return (await this.api.find(path)) !== undefined
  }
}

/** What comes up on a control plane that is there. */
const STARTS: Readonly<Record<Engine, (host: EngineHost) => Promise<void>>> = {
  kube: () => Promise.resolve(),
  kai: bringUpKai,
  volcano: bringUpVolcano,
  kueue: bringUpKueue,
  kuberay: bringUpKubeRay,
  kubelet: bringUpKubelet,
}

/** Brings a rig up in this network namespace, or completes the one of that name that is there. */
export async function startRig({ name, engines = [], flags = {}, ports }: RigOptions): Promise<Rig> {
  if (!isIsolated())
    throw new Error('a rig runs in a network of its own: use npm run engines, or npm run test:engines -- NAME')
  const folder = join(rigsFolder(), name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const record = readRecord(folder) ?? { name, engines: [], flags, daemons: [], ports: ports ?? (await freePorts()) }
  const rig = rigOf(record, folder)
  await rig.bringUp(engines)
  return rig
}

function rigOf(record: RigRecord, folder: string): Rig {
  writeKubeFiles({ folder, ports: record.ports })
  writeRecord(folder, record)
  return new Rig(record, folder)
}

/** What is known of the rig in a folder; undefined: there is none. */
export function readRecord(folder: string): RigRecord | undefined {
  const file = join(folder, 'rig.json')
  if (!existsSync(file)) return undefined
  const record: RigRecord = JSON.parse(readFileSync(file, 'utf8'))
  return record
}

function writeRecord(folder: string, record: RigRecord): void {
  const file = join(folder, 'rig.json')
  writeFileSync(`${file}.new`, JSON.stringify(record, undefined, 2))
  renameSync(`${file}.new`, file)
}
