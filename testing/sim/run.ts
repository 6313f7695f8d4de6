import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { parseArguments, USAGE, type RunArguments } from './arguments.ts'
import type { FaultEvent } from './faults.ts'
import { MUTANTS } from './mutants/mutants.ts'
import { Tally } from './tally.ts'
import type { Outcome } from './simulate.ts'

const CHUNK = 4
/**
 * A thread is replaced after so many seeds: what waits in a world that is over is never answered, and Node keeps signals that
 * somebody listens to, so that each world leaves about 2 MB behind.
 */
const SEEDS_OF_A_THREAD = 400

// A reader such as `head` may close the pipe after the first lines; that is not an error.
process.stdout.on('error', () => process.exit())

const parsed = parseArguments(process.argv.slice(2))
if ('problem' in parsed) {
  process.stderr.write(`${parsed.problem}\n${USAGE}\n`)
  process.exitCode = 64
} else if (parsed.list) {
  for (const { name, rule } of MUTANTS) process.stdout.write(`${name.padEnd(34)} ${rule}\n`)
} else {
  process.exitCode = await run(parsed)
}

/** Runs all seeds on some threads and prints what came of them. */
async function run(options: RunArguments): Promise<number> {
  const plan = options.plan === undefined ? undefined : readPlan(options.plan)
  if (plan !== undefined && 'problem' in plan) {
    process.stderr.write(`${plan.problem}\n`)
    return 64
  }
  const tally = new Tally(options)
  const startMs = performance.now()
  let next = options.from
  const take = (): readonly number[] => {
    const until = Math.min(next + CHUNK - 1, options.until)
    const seeds = Array.from({ length: Math.max(0, until - next + 1) }, (_, index) => next + index)
    next = until + 1
    return options.stopEarly && tally.violations.length > 0 ? [] : seeds
  }
  const task = { clouds: options.clouds, mutant: options.mutant, plan: plan?.faults, trace: options.trace }
  const threads = Math.min(options.threads, Math.ceil((options.until - options.from + 1) / CHUNK))
  const each = (outcome: Outcome): void => {
    tally.add(outcome)
    if (options.output === 'text') process.stdout.write(tally.linesOf(outcome))
  }
  const keepWorking = async (): Promise<void> => {
    while ((await work(task, take, each)) === 'tired') continue
  }
  await Promise.all(Array.from({ length: threads }, keepWorking))
  const { user, system } = process.cpuUsage()
  const cost = { cpu_seconds: (user + system) / 1e6, wall_seconds: (performance.now() - startMs) / 1000 }
  process.stdout.write(options.output === 'json' ? `${JSON.stringify(tally.report(cost))}\n` : tally.summary(cost))
  return tally.violations.length > 0 ? 1 : 0
}

function readPlan(path: string): { readonly faults: readonly FaultEvent[] } | { readonly problem: string } {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const isList = Array.isArray(read) && read.every((each) => typeof each?.kind === 'string' && each?.at >= 0)
    if (!isList) return { problem: `${path}: must be a list of faults, each with at least \`kind\` and \`at\` (ms).` }
    // Each has a kind and a moment; an unknown kind breaks nothing.
    return { faults: read as FaultEvent[] }
  } catch (error) {
    return { problem: `${path} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Feeds one thread until nothing is left, or until it is to be replaced. */
function work(
  task: object,
  take: () => readonly number[],
  each: (outcome: Outcome) => void,
): Promise<'done' | 'tired'> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task })
    let fed = 0
    const feed = (): void => {
      const isTired = fed >= SEEDS_OF_A_THREAD
      const seeds = isTired ? [] : take()
      fed += seeds.length
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (seeds.length > 0) worker.postMessage(seeds)
      else void worker.terminate().then(() => resolve(isTired ? 'tired' : 'done'))
    }
    worker.on('message', (outcomes: readonly Outcome[]) => {
      outcomes.forEach(each)
      feed()
    })
    worker.on('error', reject)
    feed()
  })
}
