import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Exit } from '../../../core/life/call/exit.ts'
import { storageFiles } from '../../storage/files.ts'
import { COURIER } from '../../storage/courier.ts'
import type { StoragePlan } from '../../storage/plan.ts'
import { runProgram } from '../command.ts'
import type { Run } from '../runtime.ts'
import type { AttemptFolders } from './attempt-folder.ts'

/** What this host can do about `storage` of processes. */
export interface StorageTools {
  /** Gives a process mounts of its own; undefined: it cannot. */
  readonly unshare: string | undefined
  readonly hasRclone: boolean
}

export const NO_TOOLS: StorageTools = { unshare: undefined, hasRclone: false }

/** Where the courier looks for programs, whatever the workload's PATH is. */
const PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
const PROBE_MS = 10_000

/** Tries it: whether a process may have mounts of its own depends on the user, and on what the host is. */
export async function findStorageTools(folder: string): Promise<StorageTools> {
  const unshare = programAt('unshare')
  if (unshare === undefined) return NO_TOOLS
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const argv = [unshare, ...OWN_MOUNTS, 'mount', '--bind', folder, folder]
  const ran = await runProgram(argv, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined)
  return { unshare: ran?.code === 0 ? unshare : undefined, hasRclone: programAt('rclone') !== undefined }
}

/** Whether a process of this host can bring data to containers: it may read whatever their users write. */
export function canFetchBeside(): boolean {
  return process.getuid?.() === 0 && existsSync('/proc/self') && programAt('rclone') !== undefined
}

/** What users may expect and do not get, in words. */
export function storageLacks({ unshare, hasRclone }: StorageTools): readonly string[] {
  if (unshare === undefined)
    return ['no volumes and no storage: on this host, only root may give a process its own mounts']
  return hasRclone ? [] : ['storage with `from` is not fetched: rclone is not installed here']
}

const OWN_MOUNTS = ['--mount', '--propagation', 'private']

function programAt(name: string): string | undefined {
  return PATH.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** `storage` of processes: a courier runs between the shim and the program, in mounts that only the two of them see. */
export class ProcessStorage {
  readonly #folders: AttemptFolders
  readonly #tools: StorageTools
  readonly #courier: string

  constructor(folder: string, folders: AttemptFolders, tools: StorageTools) {
    this.#folders = folders
    this.#tools = tools
    this.#courier = join(folder, 'courier.sh')
    // Replaced in one step: a shell that reads it at this moment keeps the old one.
    const draft = `${this.#courier}.${process.pid}`
    writeFileSync(draft, COURIER, { mode: 0o600 })
    renameSync(draft, this.#courier)
  }

  /** Writes down what the courier has to do. What to put before the program; it holds nothing of the plan. */
  prepare(attempt: string, plan: StoragePlan | undefined): readonly string[] {
    if (plan === undefined) return []
    const folder = this.#pathOf(attempt)
    for (const { path, content } of storageFiles(plan)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, path), content, { mode: 0o600 })
    }
    return [this.#tools.unshare ?? '', ...OWN_MOUNTS, '/bin/sh', this.#courier, 'run', folder]
  }

  /** What the courier says about a run, in addition to what the kernel knows. */
  seen(attempt: string, run: Run): Run {
    const state = this.#pathOf(attempt, 'state')
    if (!existsSync(state)) return run
    const failed = line(join(state, 'failed'))
    const seconds = Number(line(join(state, 'checkpoint')) ?? '')
    const checkpoint = seconds > 0 ? { checkpointMs: seconds * 1000 } : {}
    if (run.state === 'ended') return { ...run, ...checkpoint, exit: failed === undefined ? run.exit : exitOf(failed) }
    const isFetching = run.state === 'up' && !existsSync(join(state, 'phase'))
    return isFetching ? { ...run, ...checkpoint, state: 'starting', ports: {} } : { ...run, ...checkpoint }
  }

  /** What to put before a program that runs beside it, so that it sees the same mounts. */
  entry(attempt: string, cwd: string): readonly string[] {
    const pid = line(this.#pathOf(attempt, 'state/pid'))
    return pid === undefined ? [] : ['nsenter', `--mount=/proc/${pid}/ns/mnt`, `--wd=${cwd}`, '--']
  }

  /** Data is not needed any more; what could not be saved stays until the attempt is forgotten. */
  ended(attempt: string): void {
    if (existsSync(this.#pathOf(attempt, 'state/failed'))) return
    const entries = this.#pathOf(attempt, 'entries')
    if (existsSync(entries)) this.#folders.remover.remove(entries)
  }

  #pathOf(attempt: string, file = ''): string {
    return join(this.#folders.pathOf(attempt, 'storage'), file)
  }
}

function exitOf(why: string): Exit {
  return { kind: 'storage', why: why.slice(0, 300) }
}

/** The only line of a file; undefined: there is no such file, or it is empty. */
function line(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
