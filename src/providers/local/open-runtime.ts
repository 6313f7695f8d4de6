import type { ProviderDoors } from '../../ports/provider.ts'
import { runProgram } from './command.ts'
import { EngineCli } from './engine/engine-cli.ts'
import { EngineRuntime } from './engine/engine-runtime.ts'
import { ProcessRuntime } from './process/process-runtime.ts'
import type { Runtime } from './runtime.ts'
import type { LocalSettings } from './settings.ts'

/** The runtime that the settings ask for; with `auto`, the first that answers: podman, docker, processes. */
export async function openRuntime(settings: LocalSettings, doors: ProviderDoors): Promise<Runtime> {
  const { runtime } = settings
  if (runtime === 'process') return new ProcessRuntime(settings, doors)
  const programs = runtime === 'auto' ? (['podman', 'docker'] as const) : ([runtime] as const)
  const complaints: string[] = []
  for (const program of programs) {
    const cli = new EngineCli(program, settings.engineFlags ?? [])
    const complaint = await complaintOf(cli)
    if (complaint === undefined) return new EngineRuntime(cli, settings, doors)
    complaints.push(complaint)
  }
  if (runtime === 'auto') return new ProcessRuntime(settings, doors)
  throw new Error(`${complaints.join(' ')} Install or start it, or set runtime: process.`)
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
