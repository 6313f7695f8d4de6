import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderDeps } from '../../ports/provider.ts'
import { runProgram } from './command.ts'
import { EngineCli } from './engine/cli.ts'
import { EngineRuntime } from './engine/runtime.ts'
import { ProcessRuntime } from './process/process-runtime.ts'
import { canFetchBeside, findStorageTools } from './process/storage.ts'
import type { Runtime, RuntimeName } from './runtime.ts'
import type { LocalSettings } from './settings.ts'

/**
 * The runtime that the settings request; with `auto`, the first that answers: podman, docker, processes. The choice of `auto`
 * stays while its work may run: another runtime would not see that work, and would start it a second time.
 */
export async function openRuntime(settings: LocalSettings, deps: ProviderDeps): Promise<Runtime> {
  const { runtime } = settings
  const memory = new RuntimeMemory(deps.folder)
  const before = runtime === 'auto' ? memory.recall() : undefined
  const opened = await open({ ...settings, runtime: before ?? runtime }, deps)
  if (runtime === 'auto') memory.keep(opened.name)
  return opened
}

async function open(settings: LocalSettings, deps: ProviderDeps): Promise<Runtime> {
  const { runtime } = settings
  if (runtime === 'process') return new ProcessRuntime(settings, deps, { tools: await findStorageTools(deps.folder) })
  const programs = runtime === 'auto' ? (['podman', 'docker'] as const) : ([runtime] as const)
  const complaints: string[] = []
  for (const program of programs) {
    const cli = new EngineCli(program, settings.engineFlags ?? [])
    const complaint = await complaintOf(cli)
    if (complaint === undefined) return new EngineRuntime(cli, settings, { ...deps, objectStorage: canFetchBeside() })
    complaints.push(complaint)
  }
  if (runtime !== 'auto') throw new Error(`${complaints.join(' ')} Install or start it, or set runtime: process.`)
  const why = `runtime: auto chose process. ${complaints.join(' ')}`
  deps.log.warn(`${why} Programs run as the user of berth, without isolation from each other.`)
  return new ProcessRuntime(settings, deps, { lacks: [why], tools: await findStorageTools(deps.folder) })
}

/** The last choice of `auto`. */
class RuntimeMemory {
  readonly #path: string
  readonly #attempts: string

  constructor(folder: string) {
    this.#path = join(folder, 'runtime')
    this.#attempts = join(folder, 'attempts')
  }

  /** Undefined: it may be chosen again. */
  recall(): RuntimeName | undefined {
    // Folders of attempts exist as long as anything of them may run, and they are older than this stored choice.
    if (existsSync(this.#attempts) && readdirSync(this.#attempts).length > 0) return 'process'
    const kept = existsSync(this.#path) ? readFileSync(this.#path, 'utf8').trim() : ''
    return kept === 'podman' || kept === 'docker' ? kept : undefined
  }

  keep(name: RuntimeName): void {
    writeFileSync(this.#path, `${name}\n`, { mode: 0o600 })
  }
}

/** Why an engine does not answer; undefined: it does. */
async function complaintOf(cli: EngineCli): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const ran = await runProgram(cli.argv(['ps', '--quiet']), { signal }).catch(() => 'late' as const)
  if (ran === undefined) return `There is no program ${cli.program} on this host.`
  if (ran === 'late') return `${cli.program} does not answer.`
  return ran.code === 0 ? undefined : `${cli.program} does not work here: ${ran.err.trim().slice(-300)}`
}

const ANSWER_MS = 20_000
