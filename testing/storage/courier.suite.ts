import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Volume } from '../../src/core/manifest/manifest.ts'
import { freshTag } from '../../src/providers/contract/bench.suite.ts'
import { storageFiles } from '../../src/providers/storage/files.ts'
import { COURIER } from '../../src/providers/storage/courier.ts'
import { storagePlan, type StoragePlan } from '../../src/providers/storage/plan.ts'
import type { S3 } from './s3.suite.ts'

/** A courier around a program, as a host runs it. */
export interface Kept {
  readonly child: ChildProcess
  /** Its exit code, once it has ended, and everything that it printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>
  /** What is in a file of its state; undefined: there is no such file. */
  readonly state: (file: string) => string | undefined
}

/** Where a test mounts. Only the courier and its program see anything there. */
export const MOUNTS = mkdtempSync(join(tmpdir(), 'berth-mounts-'))

export function volume(s3: S3, name: string, change: Partial<Volume> = {}): Volume {
  const from = `s3://${s3.bucket}/${name}`
  return { mount: join(MOUNTS, name), from, mode: 'ro', sizeGib: undefined, secret: 'S3', ...change }
}

export class Couriers {
  readonly folder: string
  readonly #children: ChildProcess[] = []
  #serial = 0

  constructor(folder = mkdtempSync(join(tmpdir(), 'berth-courier-'))) {
    this.folder = folder
  }

  run(s3: Pick<S3, 'secret'>, storage: readonly Volume[], script: string, change: Partial<StoragePlan> = {}): Kept {
    const rw = storage.find(({ mode }) => mode === 'rw')
    const checkpoint = rw && { path: rw.mount, everySeconds: 1 }
    const order = { storage, tag: freshTag(), ...(checkpoint && { checkpoint }) }
    const plan = storagePlan(order, new Map([['S3', s3.secret]]))
    if (typeof plan !== 'object') throw new Error(plan)
    const folder = join(this.folder, `${this.#serial++}`)
    const files = storageFiles({ ...plan, slot: '0', patienceSeconds: 20, ...change })
    for (const { path, content } of [...files, { path: 'courier.sh', content: COURIER }]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content, { mode: 0o600 })
    }
    const argv = ['--mount', '--propagation', 'private', '/bin/sh', join(folder, 'courier.sh'), 'run', folder]
    const child = spawn('unshare', [...argv, '/bin/sh', '-c', script], {
      // Its own group, as a shim has it. Settings of the workload must not reach rclone.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', AWS_CA_BUNDLE: '/none', RCLONE_CONFIG_BERTH_TYPE: 'memory', M: MOUNTS },
    })
    this.#children.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
    const ended = once(child, 'close').then(([code]) => ({ code: typeof code === 'number' ? code : null, said }))
    const state = (file: string): string | undefined => {
      const path = join(folder, 'state', file)
      return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
    }
    return { child, ended, state }
  }

  close(): void {
    for (const { pid } of this.#children) {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    rmSync(this.folder, { recursive: true, force: true })
    rmSync(MOUNTS, { recursive: true, force: true })
  }
}
