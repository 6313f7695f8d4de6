import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Say } from './build.ts'
import { cacheFolder } from './cache.ts'
import { runInTime } from './in-time.ts'

/** Packages come from a network, which may not answer. */
const MOST_MS = 300_000

/** Servers that are packages of Python, each in an environment of its own, in a folder of this name. */
const PACKAGES = {
  moto: { version: '5.2.5', install: 'moto[server,ec2]==5.2.5', folder: 'moto-5.2.5' },
  ray: { version: '2.60.0', install: 'ray[default,serve]==2.60.0', folder: 'ray-serve-2.60.0' },
} as const

export type PythonServer = keyof typeof PACKAGES

export const PYTHON_SERVERS: readonly PythonServer[] = ['moto', 'ray']

/** The Python that has it. */
export function pythonOf(server: PythonServer): string {
  return join(folderOf(server), 'bin/python')
}

export function isInstalled(server: PythonServer): boolean {
  return existsSync(pythonOf(server))
}

/** In a folder that gets its name at the end, so that an interrupted installation leaves nothing half. */
export async function ensureInstalled(server: PythonServer, say: Say): Promise<void> {
  if (isInstalled(server)) return
  const folder = folderOf(server)
  const scratch = `${folder}.partial-${process.pid}`
  const startedMs = performance.now()
  try {
    mkdirSync(cacheFolder(), { recursive: true })
    await runInTime('python3', ['-m', 'venv', scratch], MOST_MS)
    await runInTime(join(scratch, 'bin/python'), ['-m', 'pip', 'install', '--quiet', PACKAGES[server].install], MOST_MS)
    if (!isInstalled(server)) renameSync(scratch, folder)
    say(`${server} ${PACKAGES[server].version}: installed in ${Math.round((performance.now() - startedMs) / 1000)} s`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function folderOf(server: PythonServer): string {
  return join(cacheFolder(), PACKAGES[server].folder)
}
