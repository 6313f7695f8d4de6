import type { RunArguments } from './arguments.ts'
import type { Outcome } from './simulate.ts'

interface Cost {
  readonly cpu_seconds: number
  readonly wall_seconds: number
}

/** Adds up what came of many runs. */
export class Tally {
  readonly violations: {
    readonly seed: number
    readonly invariant: string
    readonly at: number
    readonly detail: string
  }[] = []
  readonly #options: Pick<RunArguments, 'clouds' | 'plan' | 'mutant' | 'trace'>
  #seeds = 0
  #events = 0
  #simulatedMs = 0
  /** By kind of event: the first seed that told one. */
  readonly #told = new Map<string, number>()

  constructor(options: Pick<RunArguments, 'clouds' | 'plan' | 'mutant' | 'trace'>) {
    this.#options = options
  }

  add({ seed, violations, events, simulatedMs, told }: Outcome): void {
    for (const kind of told) this.#told.set(kind, Math.min(seed, this.#told.get(kind) ?? seed))
    this.#seeds++
    this.#events += events
    this.#simulatedMs += simulatedMs
    for (const { invariant, at, detail } of violations) this.violations.push({ seed, invariant, at, detail })
  }

  /** Each violation with the one line that repeats it; with `--trace`, everything that led to it. */
  linesOf({ seed, violations, trace, hash }: Outcome): string {
    const lines = violations.map(
      ({ invariant, at, detail }) =>
        `seed ${seed} broke ${invariant} at ${(at / 1000).toFixed(1)} s: ${detail}\n  again: ${this.#again(seed)}`,
    )
    const traced = this.#options.trace ? [...trace, `trace ${hash}`] : []
    return [...traced, ...lines].map((line) => `${line}\n`).join('')
  }

  report(cost: Cost): object {
    const violations = this.violations.toSorted((one, two) => one.seed - two.seed || one.at - two.at)
    return {
      seeds: this.#seeds,
      violations,
      events: this.#events,
      simulated_hours: round(this.#simulatedMs / 3_600_000),
      told: Object.fromEntries([...this.#told].toSorted(([one], [two]) => (one < two ? -1 : 1))),
      ...rounded(cost),
    }
  }

  summary(cost: Cost): string {
    const { cpu_seconds, wall_seconds } = rounded(cost)
    const hours = round(this.#simulatedMs / 3_600_000)
    const broken = new Set(this.violations.map(({ seed }) => seed)).size
    const pace = Math.round(this.#events / Math.max(cost.cpu_seconds, 0.001))
    return `${this.#seeds} seeds, ${broken} of them broken, ${this.#events} events, ${hours} simulated hours, ${cpu_seconds} CPU seconds (${pace} events a second), ${wall_seconds} s\n`
  }

  #again(seed: number): string {
    const { clouds, plan, mutant } = this.#options
    const extra = `${clouds ? ' --clouds' : ''}${plan === undefined ? '' : ` --plan ${plan}`}${mutant === undefined ? '' : ` --mutant ${mutant}`}`
    return `npm run sim -- --seed ${seed}${extra}`
  }
}

function rounded({ cpu_seconds, wall_seconds }: Cost): Cost {
  return { cpu_seconds: round(cpu_seconds), wall_seconds: round(wall_seconds) }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
