import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { FaultEvent } from './faults.ts'
import { MUTANTS } from './mutants/mutants.ts'
import type { Mutant } from './mutants/mutant.ts'

/** What a worker is told when it starts. */
export interface WorkerTask {
  readonly clouds: boolean
  readonly mutant: string | undefined
  readonly plan: readonly FaultEvent[] | undefined
  readonly trace: boolean
}

const ROOT = join(import.meta.dirname, '../..')

// The one who started this worker gave it exactly this.
const task = workerData as WorkerTask
const mutant = MUTANTS.find(({ name }) => name === task.mutant)
if (mutant !== undefined) await mutate(mutant)

// Only now, so that what is loaded is what the mutant made of it.
const { simulate } = await import('./simulate.ts')
const draw = task.clouds ? (await import('./rented/draw.ts')).drawRented : (await import('./scenario.ts')).drawScenario

/** In production, an unhandled rejection ends the whole control plane. */
const crashed: string[] = []
process.on('unhandledRejection', (error) => {
  crashed.push(`unhandled rejection: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
})

parentPort?.on('message', async (seeds: readonly number[]) => {
  const outcomes = []
  for (const seed of seeds) {
    const drawn = draw(seed)
    const scenario = task.plan === undefined ? drawn : { ...drawn, faults: task.plan }
    const outcome = await simulate(scenario, { trace: task.trace })
    const crashes = crashed.splice(0).map((detail) => ({ invariant: 'I7', at: outcome.simulatedMs, detail }))
    outcomes.push({ ...outcome, violations: [...outcome.violations, ...crashes] })
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(outcomes)
})

async function mutate({ file, ...edit }: Mutant): Promise<void> {
  // The parser is loaded only where a mutant needs it.
  const { edited } = await import('./mutants/edit.ts')
  const target = join(ROOT, file)
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith('file:') || fileURLToPath(url) !== target) return next(url, context)
      const source = edited(readFileSync(target, 'utf8'), edit)
      return { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true }
    },
  })
}
