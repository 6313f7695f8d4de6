import type { Berth } from '../../src/ports/berth.ts'
import { allWorkloads } from './check.ts'
import { manifestOf } from './load.ts'
import { until } from '../plane/plane.ts'

/** Requests under way at once. */
const WORKERS = 16

/** Workloads that are applied once. Whatever happens to the control plane, nothing must happen to them. */
export class Others {
  readonly count: number
  readonly #project: string
  /** The attempt of each, by name. */
  readonly #attempts = new Map<string, string>()
  readonly #touched = new Set<string>()

  constructor(count: number, project: string) {
    this.count = count
    this.#project = project
  }

  get touched(): readonly string[] {
    return [...this.#touched]
  }

  /** Ends when all of them are up. */
  async begin(berth: Berth): Promise<void> {
    if (this.count === 0) return
    const names = Array.from({ length: this.count }, (_, at) => `other-${at}`)
    const work = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        await berth.apply({
          project: this.#project,
          text: manifestOf(name, 0),
          file: `${name}.yaml`,
          idempotencyKey: name,
        })
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, work))
    await until('all others are up', { withinMs: 300_000, everyMs: 1000 }, async () => {
      const found = await this.#found(berth)
      if (found.size < this.count) return `${found.size} of ${this.count} are`
      for (const [name, attempt] of found) this.#attempts.set(name, attempt)
      return { found: true }
    })
  }

  async check(berth: Berth): Promise<void> {
    if (this.count === 0) return
    const found = await this.#found(berth)
    for (const [name, attempt] of this.#attempts) {
      const now = found.get(name)
      if (now !== attempt) this.#touched.add(`${name} ran as ${attempt} and now ${now ?? 'does not run'}`)
    }
  }

  /** Attempts of those that run. */
  async #found(berth: Berth): Promise<ReadonlyMap<string, string>> {
    const views = await allWorkloads(berth)
    return new Map(
      views.flatMap(({ name, slots }) => {
        const [slot] = slots
        const isUp = name.startsWith('other-') && slot?.phase === 'running'
        return isUp ? [[name, slot.attempt] as const] : []
      }),
    )
  }
}
