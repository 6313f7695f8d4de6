import { spawn } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import type { AttemptFolders } from './attempt-folder.ts'

/**
 * Attaches a reader to a log whose own reader was killed together with its shell. Without it, the workload would block once
 * its pipe is full.
 */
export class LogRescue {
  readonly #rescued = new Set<string>()
  readonly #ground: { readonly folders: AttemptFolders; readonly shim: string; readonly logBytes: number }

  constructor(ground: { readonly folders: AttemptFolders; readonly shim: string; readonly logBytes: number }) {
    this.#ground = ground
  }

  /** Once per attempt; it ends with the last process that prints. */
  rescue(attempt: string, strays: readonly number[]): void {
    if (this.#rescued.has(attempt)) return
    this.#rescued.add(attempt)
    const { folders, shim, logBytes } = this.#ground
    const folder = folders.pathOf(attempt)
    const pipe = strays.map((pid) => pipeOf(pid, folder)).find((path) => path !== undefined)
    if (pipe === undefined) return
    const args = [shim, 'read', folder, String(logBytes), pipe]
    // Its environment does not mention the attempt: it must not be mistaken for the work itself.
    const child = spawn('/bin/sh', args, { detached: true, stdio: 'ignore', env: {} })
    child.once('error', () => this.#rescued.delete(attempt))
    child.unref()
  }

  forget(attempt: string): void {
    this.#rescued.delete(attempt)
  }
}

/** A process that holds the pipe of this attempt, either end: the kernel lets it be opened again. */
function pipeOf(pid: number, folder: string): string | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .map((name) => `/proc/${pid}/fd/${name}`)
      .find((path) => readlinkSync(path).startsWith(`${folder}/pipe.`))
  } catch {
    return undefined
  }
}
