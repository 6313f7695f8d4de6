import { constants } from 'node:os'
import type { Exit } from '../../../core/life/call/exit.ts'
import { Unreadable } from '../unreadable.ts'
import { whyNever, type AttemptFolders } from './attempt-folder.ts'
import { processesIn } from './control-group.ts'
import { isAlive, processesWith, readIdentity, type Identity } from './process-table.ts'

/** The state of an attempt, from its folder and the kernel. */
export type ProcessState =
  | { readonly state: 'starting' }
  | { readonly state: 'up'; readonly identity: Identity }
  /** Its leader was killed, and other processes of it live on. */
  | { readonly state: 'up'; readonly strays: readonly number[] }
  | { readonly state: 'ended'; readonly exit: Exit | undefined }

/** Throws if the state is unknown. */
export function stateOf(folders: AttemptFolders, attempt: string, bootNow: string): ProcessState {
  const started = folders.started(attempt)
  if (started === undefined) return { state: 'starting' }
  const why = whyNever(started)
  if (why !== undefined) return { state: 'ended', exit: { kind: 'start', why } }
  const exit = folders.has(attempt, 'exit') ? folders.read(attempt, 'exit') : undefined
  if (exit !== undefined) return { state: 'ended', exit: exitOf(exit) }
  const identity = readIdentity(started)
  if (identity === undefined) throw new Unreadable(`${folders.pathOf(attempt, 'started')} is damaged`)
  if (isAlive(identity, bootNow)) return { state: 'up', identity }
  if (identity.boot !== bootNow) return endAs(folders, attempt, 'machine')

  const strays = straysOf(folders, attempt)
  if (strays.length > 0) return { state: 'up', strays }
  return endAs(folders, attempt, folders.has(attempt, 'stopping') ? 'killed' : 'lost')
}

/** Processes of an attempt that are no longer under its leader: found by its control group, and by its environment. */
export function straysOf(folders: AttemptFolders, attempt: string): readonly number[] {
  const group = folders.read(attempt, 'cgroup')?.trim()
  const grouped = group === undefined ? [] : processesIn(group)
  return [...new Set([...grouped, ...processesWith(`BERTH_ATTEMPT=${attempt}`)])]
}

/** The leader may have written its exit at the last moment: then that counts. A full disk does not keep the attempt alive. */
function endAs(folders: AttemptFolders, attempt: string, word: 'machine' | 'killed' | 'lost'): ProcessState {
  try {
    folders.writeOnce(attempt, 'exit', `${word}\n`)
  } catch {
    return { state: 'ended', exit: exitOf(word) }
  }
  return { state: 'ended', exit: exitOf(folders.read(attempt, 'exit') ?? '') }
}

function exitOf(text: string): Exit | undefined {
  const word = text.trim()
  if (word === 'machine') return { kind: 'machine' }
  if (word === 'killed') return { kind: 'signal', signal: 'SIGKILL' }
  return /^\d+$/.test(word) ? exitOfCode(Number(word)) : undefined
}

/** Shells and engines alike report 128 plus the number of the signal. */
export function exitOfCode(code: number): Exit {
  const signal = code > 128 ? Object.entries(constants.signals).find(([, number]) => number === code - 128) : undefined
  return signal === undefined ? { kind: 'code', code } : { kind: 'signal', signal: signal[0] }
}
