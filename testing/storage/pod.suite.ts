import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Secret } from '../../src/ports/secret.ts'
import { storeFlags } from '../../src/providers/local/bench.suite.ts'
import { NODES, orderOn, settingsOf } from '../../src/providers/kubernetes/objects/orders.suite.ts'
import { groundOf } from '../../src/providers/kubernetes/objects/ground.ts'
import { podFor } from '../../src/providers/kubernetes/objects/pod.ts'
import { storageData } from '../../src/providers/kubernetes/objects/courier.ts'
import { storagePlan } from '../../src/providers/storage/plan.ts'
import { findS3Server } from './server.ts'

const run = promisify(execFile)

/** As the image that the provider uses by default: a busybox, and an rclone of today. */
const COURIER_IMAGE = 'localhost/rclone:test'

interface Container {
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly securityContext: { readonly runAsUser?: number }
}

/** Builds the image of the courier, with all that a busybox has. */
export function courierImage(store: string, flags: readonly string[]): void {
  const context = mkdtempSync(join(store, 'context-'))
  mkdirSync(join(context, 'root/bin'), { recursive: true })
  mkdirSync(join(context, 'root/usr/local/bin'), { recursive: true })
  copyFileSync('/bin/busybox', join(context, 'root/bin/busybox'))
  copyFileSync(findS3Server() ?? '', join(context, 'root/usr/local/bin/rclone'))
  const applets = execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean)
  for (const name of applets) if (name !== 'busybox') symlinkSync('busybox', join(context, 'root/bin', name))
  writeFileSync(join(context, 'Containerfile'), 'FROM scratch\nCOPY root /\n')
  execFileSync('podman', [...flags, 'build', '--quiet', '--tag', COURIER_IMAGE, context], { stdio: 'ignore' })
}

/**
 * The containers of a pod, one by one, in a real podman: with the users, commands and volumes that the pod states. Each container sees
 * just what it mounts.
 */
export class PodOnPodman {
  readonly folder = mkdtempSync(join(tmpdir(), 'berth-pod-'))
  readonly #flags: readonly string[]
  readonly #containers: readonly Container[]
  readonly #names = new Set<string>()

  constructor(store: string, storage: Order['storage'], secret: Secret) {
    this.#flags = storeFlags(store)
    const settings = settingsOf({ storage_image: COURIER_IMAGE })
    const order = orderOn(NODES.plain, { storage, checkpoint: { path: '/ckpt', everySeconds: 1 } })
    const ground = groundOf(order, NODES.plain)
    const plan = storagePlan(order, new Map([['S3', secret]]))
    if ('class' in ground || typeof plan !== 'object') throw new Error(`${JSON.stringify(ground)} ${String(plan)}`)
    const { spec } = podFor(order, ground, { settings, namespace: 'berth' })
    // Proven: it is what podFor writes.
    const { initContainers = [], containers } = spec as Readonly<Record<string, readonly Container[]>>
    this.#containers = [...initContainers, ...(containers ?? [])]
    const given = this.#volume('berth-given')
    for (const [key, value] of Object.entries(storageData({ ...plan, patienceSeconds: 5 }))) {
      writeFileSync(join(given, key), value)
      chmodSync(join(given, key), 0o444)
    }
  }

  /** The names of its containers, in order. */
  get names(): readonly string[] {
    return this.#containers.map(({ name }) => name)
  }

  /** Starts one of its containers; the workload's runs this script, as another user. */
  async start(name: string, script?: string): Promise<void> {
    const found = this.#containers.find((each) => each.name === name)
    if (found === undefined) throw new Error(`no container ${name}`)
    const words = join(this.folder, `${name}.words`)
    writeFileSync(words, '')
    chmodSync(words, 0o666)
    const mounts = found.volumeMounts.map(
      ({ name: volume, mountPath, readOnly }) =>
        `${this.#volume(volume)}:${mountPath}:${readOnly === true ? 'ro' : 'rw'}`,
    )
    const { runAsUser = 1000 } = found.securityContext
    const [entry = '', ...rest] = script === undefined ? found.command : ['/bin/sh', '-c', script]
    this.#names.add(name)
    await run('podman', [
      ...this.#flags,
      'run',
      '--detach',
      '--name',
      `${this.#prefix}-${name}`,
      '--network',
      'host',
      '--user',
      `${runAsUser}`,
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
      '--log-driver',
      'k8s-file',
      '--ulimit',
      'nofile=1024:1024',
      '--ulimit',
      'nproc=1024:1024',
      ...[...mounts, `${words}:/dev/termination-log:rw`].flatMap((mount) => ['--volume', mount]),
      '--entrypoint',
      entry,
      COURIER_IMAGE,
      ...rest,
    ])
  }

  /** Its exit code, once it has ended. */
  async ended(name: string): Promise<number> {
    return Number((await this.#podman('wait', `${this.#prefix}-${name}`)).trim())
  }

  async log(name: string): Promise<string> {
    return this.#podman('logs', `${this.#prefix}-${name}`)
  }

  async exec(name: string, argv: readonly string[]): Promise<void> {
    await this.#podman('exec', `${this.#prefix}-${name}`, ...argv)
  }

  /** As a kubelet ends it. */
  async terminate(name: string): Promise<void> {
    await this.#podman('kill', '--signal', 'TERM', `${this.#prefix}-${name}`)
  }

  /** What it wrote as its last words. */
  words(name: string): string {
    return readFileSync(join(this.folder, `${name}.words`), 'utf8')
  }

  async close(): Promise<void> {
    const names = [...this.#names].map((name) => `${this.#prefix}-${name}`)
    await this.#podman('rm', '--force', '--time', '0', ...names)
    rmSync(this.folder, { recursive: true, force: true })
  }

  get #prefix(): string {
    return this.folder.split('-').at(-1)?.toLowerCase() ?? ''
  }

  /** Any user may write to an empty volume. */
  #volume(name: string): string {
    const path = join(this.folder, name)
    if (!existsSync(path)) mkdirSync(path)
    chmodSync(path, 0o777)
    return path
  }

  async #podman(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run('podman', [...this.#flags, ...args])
    return stdout + stderr
  }
}
