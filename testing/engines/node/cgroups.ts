import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

const MOUNT = '/sys/fs/cgroup'

/** A group of a rig's own in every hierarchy, of which version 1 has one for each controller. */
export function makeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name), { recursive: true })
}

/** Groups outlive their processes: they are removed from the innermost on. */
export function removeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) remove(join(hierarchy, name))
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
