import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../house/files.ts'

/** The package, installed in a folder that knows nothing of a checkout. */
export interface Packed {
  /** The folder of everything; to be removed at the end. */
  readonly folder: string
  /** The package itself, unpacked: `FOLDER/node_modules/berth`. */
  readonly home: string
  /** What it is to be started with: the program of the package, a Node, and the system's own programs. */
  readonly env: NodeJS.ProcessEnv
  /** Folders that must not be named in any of its files: they are gone, or a user does not have them. */
  readonly foreign: readonly string[]
}

const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'coverage', 'reports', '.cache', '.stryker-tmp'])

/**
 * Packs a copy of the checkout, installs it as npm would, and removes the copy, so that nothing of it can be used. No
 * registry is asked: what the package needs is taken from the checkout's node_modules.
 */
export function pack(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'berth-package-'))
  const copy = join(folder, 'copy')
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(path.slice(ROOT.length + 1)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const [made] = JSON.parse(npm(copy, 'pack', '--json', '--pack-destination', folder))
  const modules = join(folder, 'node_modules')
  const home = join(modules, 'berth')
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['--extract', '--file', join(folder, made.filename), '--strip-components=1', '--directory', home])
  for (const path of needed()) cpSync(join(ROOT, path), join(folder, path), { recursive: true, dereference: true })
  rmSync(copy, { recursive: true })
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(home, 'bin/berth'), join(folder, 'bin/berth'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: join(folder, 'home') }
  return { folder, home, env, foreign: [ROOT, copy] }
}

/** Links to the folder that brings a Node into a checkout. */
const BROUGHT = 'node_modules/berth-node'

/** What npm prints in a folder, as if a user had called it there. */
function npm(folder: string, ...argv: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)))
  return execFileSync('npm', argv, { cwd: folder, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Paths of the packages that the lock file has for users. */
function needed(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries<{ dev?: boolean; optional?: boolean }>(packages)
    .filter(([path, { dev, optional }]) => path.startsWith('node_modules/') && path !== BROUGHT && !dev && !optional)
    .map(([path]) => path)
}

/** Every file of a folder, as a path below it. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
