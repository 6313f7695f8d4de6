import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { busySeconds, familySeconds } from './processors.ts'

/** Processes by number: the one that started it, its ticks and those of its children that have ended. */
function procWith(processes: Readonly<Record<number, readonly [parent: number, own: number, ended: number]>>): string {
  const proc = mkdtempSync(join(tmpdir(), 'berth-proc-'))
  onTestFinished(() => rmSync(proc, { recursive: true }))
  writeFileSync(join(proc, 'stat'), 'cpu  100 200 300 9000 50 10 20 70 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n')
  for (const [pid, [parent, own, ended]] of Object.entries(processes)) {
    mkdirSync(join(proc, pid))
    const rest = `S ${parent} 1 1 0 -1 4194304 1 2 3 4 ${own} 0 ${ended} 0 20 0 1`
    writeFileSync(join(proc, pid, 'stat'), `${pid} (a (b) c) ${rest}\n`)
  }
  return proc
}

test('the machine is busy with whatever is not idle or waiting for a disk', () => {
  expect(busySeconds(procWith({}))).toBe(7)
})

test('a family is everything that one has started, and what that has', () => {
  const proc = procWith({ 1: [0, 1000, 0], 10: [1, 100, 50], 11: [10, 200, 0], 12: [11, 300, 25], 20: [1, 5000, 0] })
  expect(familySeconds(10, proc)).toBe(6.75)
})

test('where the system tells nothing, nothing is known', () => {
  expect([busySeconds('/nowhere'), familySeconds(1, '/nowhere')]).toEqual([0, 0])
})

test('this process has used a processor, and no more than the machine has', () => {
  const own = familySeconds(process.pid)
  expect(own).toBeGreaterThan(0)
  expect(own).toBeLessThanOrEqual(busySeconds())
})
