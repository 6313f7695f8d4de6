import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workloadOf, service } from '../core/life/keep.suite.ts'
import type { Commit, Store } from '../ports/store.ts'
import { ballasted, roomBeside } from './ballast.ts'
import { memoryStore } from './memory.ts'
import { storeProblem } from './store-problem.ts'

const MIB = 1024 * 1024

/** A disk with so much room, on which every commit takes a MiB. */
function world(freeBytes: number) {
  const disk = { freeBytes, hasBallast: false }
  const real = memoryStore({ nowMs: () => 0 })
  const room = {
    freeBytes: () => disk.freeBytes,
    hasBallast: () => disk.hasBallast,
    makeBallast: () => {
      disk.freeBytes -= 16 * MIB
      disk.hasBallast = true
    },
    dropBallast: () => {
      if (disk.hasBallast) disk.freeBytes += 16 * MIB
      disk.hasBallast = false
    },
  }
  const store: Store = {
    ...real,
    commit: async (commit) => {
      if (disk.freeBytes < MIB) throw storeProblem('STORE_FULL', 'full', '')
      disk.freeBytes -= MIB
      return real.commit(commit)
    },
  }
  const logged: string[] = []
  const note = (message: string): void => void logged.push(message)
  return { disk, logged, ...ballasted(store, room, { info: note, warn: note, error: note }) }
}

const APPLY: Commit = { writes: [{ kind: 'workload', key: 'default/a', body: workloadOf(service(1)) }] }
const REMOVE: Commit = {
  writes: [{ kind: 'workload', key: 'default/a', body: { ...workloadOf(service(1)), want: 'removed' } }],
}
const FORGET: Commit = { writes: [{ kind: 'workload', key: 'default/a', body: undefined }] }

test('on a full disk nothing new is taken, and what ends something lands with the room that was kept', async () => {
  const { store, disk, logged, look } = world(64 * MIB)
  expect(disk).toEqual({ freeBytes: 48 * MIB, hasBallast: true })
  expect(await store.commit(APPLY)).toMatchObject({ kind: 'done' })
  disk.freeBytes = 0
  await expect(store.commit(APPLY)).rejects.toThrow('STORE_FULL')
  expect(disk.hasBallast).toBe(true)
  for (const commit of [REMOVE, FORGET, { term: 0, writes: APPLY.writes }]) {
    expect(await store.commit(commit)).toMatchObject({ kind: 'done' })
  }
  expect(disk).toEqual({ freeBytes: 13 * MIB, hasBallast: false })
  look()
  await expect(store.commit(APPLY)).rejects.toThrow('reserved for stopping and removing')
  expect(logged).toHaveLength(1)

  disk.freeBytes = 100 * MIB
  look()
  expect(disk).toEqual({ freeBytes: 84 * MIB, hasBallast: true })
  expect(await store.commit(APPLY)).toMatchObject({ kind: 'done' })
  expect(logged.at(-1)).toContain('room on the disk again')
})

test('before the last byte is gone, new work is refused, so that what is left can end what is there', async () => {
  const { store, disk, look } = world(64 * MIB)
  disk.freeBytes = 3 * MIB
  look()
  await expect(store.commit(APPLY)).rejects.toThrow('STORE_FULL')
  expect(await store.commit(REMOVE)).toMatchObject({ kind: 'done' })
  expect(disk.hasBallast).toBe(true)
})

test('a small disk has no ballast, and is used all the same', async () => {
  const { store, disk } = world(20 * MIB)
  expect(disk.hasBallast).toBe(false)
  expect(await store.commit(APPLY)).toMatchObject({ kind: 'done' })
})

test('the ballast takes the room that it promises', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-ballast-'))
  const room = roomBeside(join(folder, 'berth.db'))
  expect(room.hasBallast()).toBe(false)
  room.makeBallast()
  expect(room.hasBallast()).toBe(true)
  expect(statSync(join(folder, 'ballast')).blocks * 512).toBeGreaterThanOrEqual(16 * MIB)
  room.dropBallast()
  room.dropBallast()
  expect(room.hasBallast()).toBe(false)
  rmSync(folder, { recursive: true })
})
