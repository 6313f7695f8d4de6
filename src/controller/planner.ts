import { choosePolicyFor } from '../core/policy/project-rules.ts'
import { rowCount, type Snapshot } from '../core/offer/snapshot.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import { derive } from '../core/place/derive.ts'
import { must } from '../core/base/assert.ts'
import { decideElsewhere } from '../core/life/bind/elsewhere.ts'
import { decide, decideAll, fitCount, type DecisionInput } from '../core/place/plan.ts'
import { report, type PaperReport, type PlanReport } from '../core/place/explain/report.ts'
import { seenBy } from '../core/place/explain/seen-by.ts'
import { UserError } from '../core/base/problem.ts'
import { rulesOf } from '../service/project-rules.ts'
import { everyRow } from '../service/platform-rows.ts'
import type { DecisionExtras } from '../service/deps.ts'
import type { ControllerDeps } from './deps.ts'
import type { ProviderGates } from './provider-gates.ts'
import { unwalledIn } from './rules.ts'
import {
  lacksIn,
  lostIn,
  offersOn,
  readInventory,
  offersOfProvider,
  snapshotOf,
  type ProviderOffers,
} from './provider-offers.ts'

/** How long data read from the store is fresh enough for a question. */
const STALE_MS = 1000

/**
 * Answers what a manifest would get, in any control plane, leading or not: nothing is bound. Offers are cached for as long as
 * their providers say they are fresh.
 */
export class Planner {
  readonly #deps: Pick<ControllerDeps, 'store' | 'clock' | 'platform'>
  readonly #gates: ProviderGates
  readonly #capacities = new Map<
    string,
    Pick<ProviderOffers, 'inventory' | 'askedMs'> & { readonly askedTickMs: number }
  >()
  #snapshot: { readonly value: Snapshot; readonly madeMs: number } | undefined

  readonly #paper: () => Snapshot | undefined

  /** `paper`: offers of providers without an adapter, for plans to mention. */
  constructor(
    deps: Pick<ControllerDeps, 'store' | 'clock' | 'platform'>,
    gates: ProviderGates,
    paper: () => Snapshot | undefined = () => undefined,
  ) {
    this.#paper = paper
    this.#deps = deps
    this.#gates = gates
  }

  /**
   * What a project's manifest would get, from what the project may use. What is in the way is named if it belongs to the same
   * project.
   */
  async plan(manifest: Manifest, project: string, { before = [], wrongAt }: DecisionExtras = {}): Promise<PlanReport> {
    const { clock, platform, store } = this.#deps
    const rules = await rulesOf({ store, config: () => platform().config }, project)
    const unwalled = unwalledIn(platform())
    const inputs = [...before, manifest].map((each) => {
      const deciding = { project, rules, unwalled, spot: each.spot }
      const chosen = choosePolicyFor(platform().config, each.policy, deciding)
      if ('problem' in chosen) throw new UserError([chosen.problem])
      return derive(each, chosen.policy, clock.nowMs())
    })
    const last = must(inputs.at(-1), 'an input a manifest')
    const snapshot = await this.snapshot()
    const plan = decideElsewhere(last.asks, wrongAt ?? (() => []), (asks) =>
      must(decideAll(snapshot, [...inputs.slice(0, -1), { ...last, asks }]).at(-1), 'one plan a manifest'),
    )
    const decided = seenBy(report(plan), project)
    const paper = this.#paper()
    return paper === undefined ? decided : { ...decided, on_paper: onPaper(paper, last) }
  }

  async snapshot(): Promise<Snapshot> {
    const nowMs = this.#deps.clock.tickMs()
    if (this.#snapshot !== undefined && nowMs < this.#snapshot.madeMs + STALE_MS) return this.#snapshot.value
    const { providers, config } = this.#deps.platform()
    const open = [...providers.values()].filter(({ state }) => state === 'open').map(({ provider }) => provider)
    await Promise.all(open.map((provider) => this.#restock(provider.name)))
    const refusals = (await everyRow(this.#deps.store, 'refusal', '')).map(({ body }) => body)
    const rows = await everyRow(this.#deps.store, 'placement', '')
    const billed = Map.groupBy(
      rows.map(({ body }) => body).filter(({ phase }) => phase !== 'gone'),
      ({ order }) => order.place.provider,
    )
    const capacities = new Map(
      open.flatMap(({ name }) => {
        const capacity = this.#capacities.get(name)
        return capacity === undefined
          ? []
          : [[name, offersOfProvider(capacity.inventory, billed.get(name) ?? [], capacity.askedMs)] as const]
      }),
    )
    const value = snapshotOf({
      capacities,
      refusals,
      config,
      placements: (name) => billed.get(name) ?? [],
      lost: lostIn(billed, (name) => providers.has(name)),
      lacks: lacksIn(providers),
    })
    this.#snapshot = { value, madeMs: nowMs }
    return value
  }

  offersOf(provider: string): number {
    return offersOn(this.#capacities.get(provider))
  }

  /** If a provider does not answer, its last offers are used. */
  async #restock(name: string): Promise<void> {
    const { clock, platform } = this.#deps
    const known = this.#capacities.get(name)
    if (known !== undefined && clock.tickMs() < known.askedTickMs + known.inventory.freshMs) return
    const provider = platform().providers.get(name)?.provider
    if (provider === undefined) return
    const gate = this.#gates.of(provider)
    if (gate.isDown) return
    const [askedMs, askedTickMs] = [clock.nowMs(), clock.tickMs()]
    const answer = await gate.call({
      what: 'offers',
      mayCall: () => !gate.isDown,
      run: (call) => provider.offers(call),
      read: (value) => readInventory(value, name),
    })
    if (answer?.ok === true) this.#capacities.set(name, { inventory: answer.value, askedMs, askedTickMs })
  }
}

/** What would fit among offers that cannot be launched. */
function onPaper(paper: Snapshot, input: DecisionInput): PaperReport {
  const { asks } = decide(paper, input)
  const fitting = asks.reduce((sum, ask) => sum + fitCount(ask), 0)
  const [best] = asks.flatMap(({ choices }) => choices.map(({ standing }) => standing.usdPerHour)).sort((a, b) => a - b)
  return {
    providers: [...new Set(paper.sites.map(({ provider }) => provider))].sort(),
    offers: rowCount(paper),
    fitting,
    ...(best !== undefined && { usd_per_hour: best }),
  }
}
