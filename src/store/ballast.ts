import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { UserError } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'
import type { Commit, Store } from '../ports/store.ts'
import { isFull, storeProblem } from './store-problem.ts'

const MIB = 1024 * 1024
/** Size of the ballast. It is given up when the disk is full, so that stops and removals can be written. */
const BALLAST_BYTES = 16 * MIB
/** With less free space than this no new work is accepted: the rest is kept for stops and removals. */
const LOW_BYTES = 4 * MIB
/** With this much free space new work is accepted again: the ballast is restored, and as much again stays free. */
const ROOM_BYTES = 2 * BALLAST_BYTES

/** The disk of the store: how much space it has. */
export interface DiskRoom {
  readonly freeBytes: () => number
  readonly hasBallast: () => boolean
  /** Throws if there is no room for it. */
  readonly makeBallast: () => void
  readonly dropBallast: () => void
}

/** A file with this name beside the store only occupies space. */
export function roomBeside(path: string): DiskRoom {
  const file = join(dirname(path), 'ballast')
  return {
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(dirname(path))
      return bavail * bsize
    },
    hasBallast: () => {
      const found = statSync(file, { throwIfNoEntry: false })
      return found !== undefined && found.size >= BALLAST_BYTES
    },
    makeBallast: () => {
      const part = `${file}.new`
      try {
        writeNoise(part)
        renameSync(part, file)
      } catch (error) {
        rmSync(part, { force: true })
        throw error
      }
    },
    dropBallast: () => rmSync(file, { force: true }),
  }
}

/** Random bytes, because a file system may store a file of zeros without using space. */
function writeNoise(file: string): void {
  const descriptor = openSync(file, 'w', 0o600)
  try {
    const noise = randomFillSync(Buffer.alloc(MIB))
    for (let written = 0; written < BALLAST_BYTES; written += MIB) writeSync(descriptor, noise)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export interface Ballasted {
  readonly store: Store
  /** Checks how much space is left; call it regularly. */
  readonly look: () => void
}

/**
 * The same store with a reserve for a full disk. When the disk is full, new work is refused, while stops, removals and
 * writes of the leader still succeed. It recovers by itself once there is room.
 */
export function ballasted(store: Store, room: DiskRoom, log: Log): Ballasted {
  let isLean = false
  const beLean = (why: string): void => {
    if (!isLean) log.error('the disk is full: new work is refused, stopping and removing still work', { why })
    isLean = true
  }
  const look = (): void => {
    const free = attempt(() => room.freeBytes())
    if (free === undefined) return
    if (!isLean && free < LOW_BYTES) beLean(`${Math.round(free / 1024)} KiB are free`)
    const isRoomy = free >= ROOM_BYTES
    if (isRoomy && !attempt(() => room.hasBallast())) attempt(() => room.makeBallast())
    if (!isLean || !isRoomy) return
    isLean = false
    log.info('there is room on the disk again')
  }
  /** A commit that fails because the disk is full is tried once more after the ballast is given up. */
  const withRoom = async <T>(work: () => Promise<T>, mayUse: boolean): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isFull(error)) throw error
      beLean('the store cannot grow')
      if (!mayUse) throw error
      attempt(() => room.dropBallast())
      return work()
    }
  }
  look()
  return {
    look,
    store: {
      ...store,
      commit: async (commit) => {
        const mayUse = isLeaving(commit)
        if (isLean && !mayUse) throw tooFull()
        return withRoom(() => store.commit(commit), mayUse)
      },
      lead: (holder, ttlMs) => withRoom(() => store.lead(holder, ttlMs), true),
    },
  }
}

/** Whether a commit ends something, or comes from the leader, which must not lose its leadership for lack of space. */
function isLeaving({ term, writes }: Commit): boolean {
  if (term !== undefined) return true
  return writes.every((write) => {
    if (write.body === undefined || write.kind === 'request') return true
    // Proven: rows of this kind hold workloads.
    return write.kind === 'workload' && (write.body as { readonly want: string }).want !== 'running'
  })
}

function tooFull(): UserError {
  return storeProblem(
    'STORE_FULL',
    'The disk of the control plane is full. The remaining space is reserved for stopping and removing work.',
    'Make room on that disk, or remove workloads (berth rm); no restart is needed. Running work is not affected.',
  )
}

/** An error of the disk must not end the check of the disk. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
