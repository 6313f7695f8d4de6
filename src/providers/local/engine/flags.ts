import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalSettings } from '../settings.ts'

/** Arguments before the engine's command, and after `run`. */
export interface EngineFlags {
  readonly engine: readonly string[]
  readonly run: readonly string[]
}

/**
 * What to try on hosts that do not allow all that engines do by default, in this order: plain, with limits no higher than
 * Berth's own, and with the older of two low-level runtimes.
 */
export function flagsToTry(program: 'podman' | 'docker', engine: readonly string[]): readonly EngineFlags[] {
  const run = limitFlags()
  const older = [...engine, '--cgroup-manager', 'cgroupfs', '--events-backend', 'file', '--runtime', 'runc']
  const plain = [
    { engine, run: [] },
    { engine, run },
  ]
  return program === 'docker' ? plain : [...plain, { engine: older, run }]
}

/** Whether other flags may help against this error of the engine. */
export function isAboutHost(complaint: string): boolean {
  return (
    /rlimit|cgroup|operation not permitted|permission denied/i.test(complaint) &&
    !/denied: requested access|unauthorized/i.test(complaint)
  )
}

/** The place where an engine keeps its data must not change from one start of Berth to the next, so flags are stored. */
export class FlagMemory {
  readonly #path: string
  readonly #settings: LocalSettings

  constructor(folder: string, settings: LocalSettings) {
    this.#path = join(folder, 'engine-flags.json')
    this.#settings = settings
  }

  /** Undefined: they have to be found. */
  recall(): EngineFlags | undefined {
    const { engineFlags, runFlags } = this.#settings
    if (runFlags !== undefined) return { engine: engineFlags ?? [], run: runFlags }
    if (!existsSync(this.#path)) return undefined
    try {
      const found: unknown = JSON.parse(readFileSync(this.#path, 'utf8'))
      return isFlags(found) && this.#fits(found) ? found : undefined
    } catch {
      return undefined
    }
  }

  keep(flags: EngineFlags): void {
    const draft = `${this.#path}.${process.pid}`
    writeFileSync(draft, JSON.stringify(flags), { mode: 0o600 })
    renameSync(draft, this.#path)
  }

  /** Whether they were found for the same settings. */
  #fits({ engine }: EngineFlags): boolean {
    const declared = this.#settings.engineFlags ?? []
    return declared.every((flag, index) => engine[index] === flag)
  }
}

function isFlags(value: unknown): value is EngineFlags {
  if (typeof value !== 'object' || value === null || !('engine' in value) || !('run' in value)) return false
  const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((text) => typeof text === 'string')
  return isTexts(value.engine) && isTexts(value.run)
}

/**
 * The hard limits that Berth itself runs under: a process that may not raise them cannot grant more. Podman lowers its own
 * number of processes to 32768 before it starts anything.
 */
function limitFlags(): readonly string[] {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : ''
  return [
    ['nofile', 'Max open files'],
    ['nproc', 'Max processes'],
  ].flatMap(([name, title]) => {
    const hard = new RegExp(`^${title} +\\S+ +(\\d+)`, 'm').exec(limits)?.[1]
    const limit = Math.min(Number(hard), LIMIT_MAX)
    return hard === undefined ? [] : ['--ulimit', `${name}=${limit}:${limit}`]
  })
}

const LIMIT_MAX = 32_768
