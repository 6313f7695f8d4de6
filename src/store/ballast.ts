import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { UserError } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'
import type { Commit, Store } from '../ports/store.ts'
import { isFull, storeProblem } from './store-problem.ts'

const MIB = 1024 * 1024
/** Given up when the disk is full, so that stopping and removing can be written. */
const BALLAST_BYTES = 16 * MIB
/** With less than this nothing new is taken on: what is left is for ending things. */
const LOW_BYTES = 4 * MIB
/** With so much all is as it was: the ballast is made again, and as much is left beside it. */
const ROOM_BYTES = 2 * BALLAST_BYTES

/** Where the store lies, as far as room is concerned. */
export interface DiskRoom {
  readonly freeBytes: () => number
  readonly hasBallast: () => boolean
  /** Throws where there is no room for it. */
  readonly makeBallast: () => void
  readonly dropBallast: () => void
}

/** A file of this name lies beside the store, and is nothing but room that is taken. */
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

/** Noise, because a file system may keep a file of zeros without room for it. */
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
  /** Looks how much room there is; call it now and then. */
  readonly look: () => void
}

/**
 * The same store, which keeps something back for a full disk: then whatever is new is refused, while stopping, removing
 * and what the leader writes still land. It recovers by itself once there is room.
 */
export function ballasted(store: Store, room: DiskRoom, log: Log): Ballasted {
  let isLean = false
  const beLean = (why: string): void => {
    if (!isLean) log.error('the disk is full: nothing new is taken on, stopping and removing go on', { why })
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
  /** What is full is tried once more with the room that the ballast gives. */
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

/** What ends something, and everything that the leader writes: it must not stop leading for want of room. */
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
    'The disk of the control plane is full, and what is left is kept for stopping and removing.',
    'Make room on that disk, or remove workloads (berth rm); it goes on by itself then. What runs is not touched.',
  )
}

/** A disk in trouble must not take its watchman along. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
