import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MOUNT = '/sys/fs/cgroup'

/** A group of a rig's own in every hierarchy, of which version 1 has one for each controller. */
export function makeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name), { recursive: true })
}

/** Groups outlive their processes, and processes their end by a moment: they are removed from the innermost on, until it works. */
export async function removeCgroup(name: string): Promise<void> {
  for (let round = 0; !isRemoved(name); round++) {
    if (round === ROUNDS) throw new Error(`processes in the control group ${name} do not end`)
    await sleep(50)
  }
}

const ROUNDS = 400

function isRemoved(name: string): boolean {
  try {
    for (const hierarchy of hierarchies()) remove(join(hierarchy, name))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false
    throw error
  }
}

function hierarchies(): readonly string[] {
  if (existsSync(join(MOUNT, 'cgroup.controllers'))) return [MOUNT]
  return readdirSync(MOUNT).map((name) => join(MOUNT, name))
}

function remove(folder: string): void {
  if (!existsSync(folder)) return
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of inner) remove(join(folder, name))
  rmdirSync(folder)
}
