import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import type { Reporter, TestModule } from 'vitest/node'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { cpuMs } from '../../src/core/base/cpu.suite.ts'
import { BUDGET_S, overBudget, type Timed } from './budget.ts'
import { tellFlakes, type Flake } from './flakes.ts'
import { tellMissing, toolsFor } from './missing.ts'
import { busySeconds, familySeconds } from './processors.ts'

/** Processor time of `work` below on the reference machine. */
const REFERENCE_MS = 75

/** The process that everything of this run was started by: what checks the code beside the tests counts, too. */
const RUN = Number(process.env['BERTH_RUN'] ?? process.pid)

/**
 * Fails a run that takes longer than its budget and names the slowest; names tests that passed only at their second try; says
 * what was skipped for want of something.
 */
export default class BudgetReporter implements Reporter {
  readonly #budgetS: number
  #start = { atMs: 0, busyS: 0, ownS: 0 }

  constructor({ budgetS = BUDGET_S[size()] }: { readonly budgetS?: number } = {}) {
    this.#budgetS = budgetS
  }

  onTestRunStart(): void {
    this.#start = { atMs: performance.now(), busyS: busySeconds(), ownS: familySeconds(RUN) }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { atMs, busyS, ownS } = this.#start
    const tookS = (performance.now() - atMs) / 1000
    const othersS = busySeconds() - busyS - (familySeconds(RUN) - ownS)
    const measured = { tookS, processors: cpus().length, othersS, slowness: tookS < this.#budgetS ? 1 : slowness() }
    const missing = modules.some(({ project }) => project.name === 'live') ? tellMissing(toolsFor(IS_WHOLE)) : undefined
    if (missing !== undefined) console.log(`\n${missing}`)
    const flakes = tellFlakes(modules.flatMap(flakesIn))
    if (flakes !== undefined) console.error(`\n${flakes}`)
    const told = overBudget(measured, this.#budgetS, modules.flatMap(timedIn))
    if (told === undefined) return
    console.error(`\n${told}`)
    process.exitCode = 1
  }
}

function size(): keyof typeof BUDGET_S {
  if (process.env['BERTH_TESTS'] === 'engines') return 'engines'
  return IS_WHOLE ? 'whole' : 'quick'
}

function flakesIn(module: TestModule): readonly Flake[] {
  return [...module.children.allTests('passed')].flatMap((test) =>
    test.diagnostic()?.flaky === true
      ? [{ name: `${module.relativeModuleId} > ${test.fullName}`, why: test.result().errors?.[0]?.message }]
      : [],
  )
}

function timedIn(module: TestModule): readonly Timed[] {
  const tests = [...module.children.allTests()].map((test) => ({
    name: `${module.relativeModuleId} > ${test.fullName}`,
    ms: test.diagnostic()?.duration ?? 0,
  }))
  const rest = module.diagnostic().duration - tests.reduce((sum, { ms }) => sum + ms, 0)
  return [...tests, { name: `${module.relativeModuleId} (what it sets up)`, ms: Math.max(0, rest) }]
}

/** By processor time, so that a busy machine is not taken for a slow one; the best of three. */
function slowness(): number {
  const tries = [1, 2, 3].map(() => {
    const before = cpuMs()
    work()
    return cpuMs() - before
  })
  return Math.max(1, Math.min(...tries) / REFERENCE_MS)
}

function work(): void {
  let text = 'berth'
  for (let round = 0; round < 100_000; round++) text = createHash('sha256').update(text).digest('hex')
}
