// Completes package-lock.json after an install: npm run lock
// Registries that mirror one platform only leave the optional binaries of other platforms out of the lock, and `npm ci`
// then refuses it. They are named here with their platform, so that every machine skips what is not for it. Addresses
// of registries and of funding pages have no place in a lock file and are taken out.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  version?: string
  resolved?: string
  link?: boolean
  funding?: unknown
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const OSES = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix']
const CPUS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }

for (const [path, entry] of Object.entries(lock.packages)) {
  // Of a link it says which folder is meant.
  if (entry.link !== true) delete entry.resolved
  delete entry.funding
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const version = range.replace(/^[~^]/, '')
    const there = found(path, name)?.version
    if (path === '' || there === version || (there !== undefined && version !== range)) continue
    const beside = `${path.slice(0, path.lastIndexOf('node_modules/'))}node_modules/${name}`
    const place = beside in lock.packages ? `${path}/node_modules/${name}` : beside
    const dev = entry.dev === true ? { dev: true } : {}
    lock.packages[place] = { version, ...dev, optional: true, ...platformOf(name) }
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([one], [two]) => (one < two ? -1 : 1)))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, undefined, 2)}\n`)

/** What a package at this path would get when it asks for a name: the nearest folder on the way up that has it. */
function found(path: string, name: string): Entry | undefined {
  for (let folder = `${path}/`; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const entry = lock.packages[`${folder}node_modules/${name}`]
    if (entry !== undefined || folder === '') return entry
  }
}

/** `@scope/binding-linux-arm64-musl` → the machines it is for. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = OSES.find((word) => words.includes(word))
  const cpu = CPUS.find((word) => words.includes(word)) ?? (words.includes('universal') ? undefined : 'none')
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}),
  }
}
