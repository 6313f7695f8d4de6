import { must } from '../core/base/assert.ts'
import { UserError } from '../core/base/problem.ts'
import { limitsFor, questionFor, withoutReserve, type ToPlace } from '../core/life/bind/question.ts'
import { stopsFirst } from '../core/life/stops-first.ts'
import { leaverOf, leavingOf } from '../core/life/bind/leaver.ts'
import { usageOf } from '../core/life/bind/usage.ts'
import { isBilled } from '../core/life/placement.ts'
import type { Project } from '../core/life/rows.ts'
import { placementsOf } from '../core/life/seats.ts'
import { groupOf, hasSlot, slotOfSeat } from '../core/life/slots.ts'
import type { Workload } from '../core/life/workload.ts'
import { rowCount, type Snapshot } from '../core/offer/snapshot.ts'
import { report, type PaperReport, type PlanReport } from '../core/place/explain/report.ts'
import { seenBy } from '../core/place/explain/seen-by.ts'
import { whileFreed } from '../core/place/own/freed.ts'
import { NOTHING_USED, type Usage } from '../core/place/limits.ts'
import { place, type WorkloadInput } from '../core/place/place.ts'
import { fitCount } from '../core/place/plan.ts'
import type { Policy } from '../core/policy/policy.ts'
import { choosePolicyFor } from '../core/policy/project-rules.ts'
import { everyRow } from '../service/platform-rows.ts'
import { limitsOf } from '../service/project-rules.ts'
import type { OffersRead } from '../service/deps.ts'
import type { ControllerDeps } from './deps.ts'
import type { ProviderGates } from './provider-gates.ts'
import { policyOf, unwalledIn } from './rules.ts'
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
  #last: Seen | undefined

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
   * Where workloads of a project would go now, in order; the plan is the last one's. It is what the leader would bind: from what
   * the project may use, within its limits. What is in the way is named if it belongs to the same project.
   */
  async plan(project: string, workloads: readonly ToPlace[]): Promise<PlanReport> {
    const { clock, platform, store } = this.#deps
    const limits = await limitsOf({ store, config: () => platform().config }, project)
    const policies = workloads.map(({ record }) => this.#policyFor(record.workload, limits))
    const { snapshot, used, isPartial } = await this.#seen()
    const nowMs = clock.nowMs()
    const asked = workloads.map(({ record, groups }, index) => {
      const policy = must(policies[index], 'a policy for each')
      const input = questionFor(record, groups, { policy, nowMs, isPartial })
      return index === workloads.length - 1 ? input : withoutReserve(input)
    })
    const inUse = used.get(project) ?? NOTHING_USED
    const usage = usedBeside(inUse, workloads)
    const planIn = (capacity: Snapshot): PlanReport => {
      const plans = place({ capacity, workloads: asked, limits: limitsFor(project, limits, usage) })
      return seenBy(report(must(plans.at(-1), 'a plan for each')), project)
    }
    const last = must(workloads.at(-1), 'something to plan')
    const kept = keptBeside(last)
    const decided = planned(planIn, snapshot, workloads)
    const policy = must(policies.at(-1), 'a policy for each')
    const stops =
      decided.fits && stopsFirst(last, { ...UNBOUND, snapshot, policy, limits, usage: inUse, nowMs, isPartial })
    const paper = this.#paper()
    return {
      ...decided,
      ...(kept && { kept }),
      ...(stops && { stops_first: stops }),
      ...(paper && { on_paper: onPaper(paper, must(asked.at(-1), 'a question for each')) }),
    }
  }

  #policyFor(workload: Workload, limits: Project): Policy {
    const { project, manifest } = workload
    const platform = this.#deps.platform()
    const scope = { project, rules: limits, unwalled: unwalledIn(platform), spot: manifest.spot }
    const asked = choosePolicyFor(platform.config, manifest.policy, scope)
    // Terms of sale that the policy does not permit are said to the user; otherwise it is the leader's policy.
    const chosen = 'problem' in asked && manifest.policy !== undefined ? asked : policyOf(workload, limits, platform)
    if ('problem' in chosen) throw new UserError([chosen.problem])
    return chosen.policy
  }

  async snapshot(): Promise<Snapshot> {
    return (await this.#seen()).snapshot
  }

  /** When each provider that takes work last said what it offers; without a time: it never did. */
  read(): readonly OffersRead[] {
    const open = [...this.#deps.platform().providers.values()].filter(({ state }) => state === 'open')
    return open.map(({ provider: { name } }) => {
      const told = this.#capacities.get(name)
      if (told === undefined) return { provider: name, readMs: undefined, freshMs: undefined, complete: false }
      const { freshMs, complete } = told.inventory
      return { provider: name, readMs: told.askedMs, freshMs, complete }
    })
  }

  /** What there is, and what each project uses of it. */
  async #seen(): Promise<Seen> {
    const nowMs = this.#deps.clock.tickMs()
    if (this.#last !== undefined && nowMs < this.#last.madeMs + STALE_MS) return this.#last
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
    const snapshot = snapshotOf({
      capacities,
      refusals,
      config,
      placements: (name) => billed.get(name) ?? [],
      lost: lostIn(billed, (name) => providers.has(name)),
      lacks: lacksIn(providers),
    })
    const byProject = Map.groupBy([...billed.values()].flat(), ({ order }) => order.tag.project)
    const used = new Map([...byProject].map(([project, placements]) => [project, usageOf(placements)]))
    const isPartial = open.some(({ name }) => !this.#capacities.has(name))
    const seen = { snapshot, used, isPartial, madeMs: nowMs }
    this.#last = seen
    return seen
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

/** What it takes to decide, but not to bind. */
const UNBOUND = { owner: '', newId: () => '', chance: 0 } as const

/** A plan beside all that runs; if that has no place for everything, with the room that is left by what it replaces. */
function planned(
  planIn: (capacity: Snapshot) => PlanReport,
  snapshot: Snapshot,
  workloads: readonly ToPlace[],
): PlanReport {
  const beside = planIn(snapshot)
  if (beside.fits) return beside
  const leavers = workloads.flatMap(({ record, groups }) => leavingOf(record, groups).map(leaverOf))
  const after = whileFreed({ snapshot, leavers, rows: 'all' }, planIn)
  return after?.fits === true ? after : beside
}

interface Seen {
  readonly snapshot: Snapshot
  readonly used: ReadonlyMap<string, Usage>
  /** Offers of some providers that take work are not known. */
  readonly isPartial: boolean
  readonly madeMs: number
}

/** What a project uses beside the replicas that are planned: those give back what they hold. */
function usedBeside({ gpus, usdPerHour }: Usage, workloads: readonly ToPlace[]): Usage {
  const held = workloads.flatMap(({ record, groups }) =>
    groups.flat().flatMap(({ slot }) => placementsOf(record, slot)),
  )
  const back = usageOf(held)
  return { gpus: gpus - back.gpus, usdPerHour: usdPerHour - back.usdPerHour }
}

/** The replicas that stay where they are; undefined: there are none. */
function keptBeside({ record, groups }: ToPlace): PlanReport['kept'] {
  const planned = new Set(groups.flat().map(({ slot }) => slotOfSeat(slot)))
  const kept = [...record.placements.values()].filter(
    (one) =>
      isBilled(one) && hasSlot(record.workload, one.order.tag.slot) && !planned.has(slotOfSeat(one.order.tag.slot)),
  )
  if (kept.length === 0) return undefined
  const replicas = new Set(kept.map(({ order }) => groupOf(order.tag.slot))).size
  return { replicas, usd_per_hour: Math.round(usageOf(kept).usdPerHour * 1e6) / 1e6 }
}

/** What would fit among offers that cannot be launched. */
function onPaper(paper: Snapshot, input: WorkloadInput): PaperReport {
  const { asks } = must(place({ capacity: paper, workloads: [input] })[0], 'one workload')
  const fitting = asks.reduce((sum, ask) => sum + fitCount(ask), 0)
  const [best] = asks.flatMap(({ choices }) => choices.map(({ standing }) => standing.usdPerHour)).sort((a, b) => a - b)
  return {
    providers: [...new Set(paper.sites.map(({ provider }) => provider))].sort(),
    offers: rowCount(paper),
    fitting,
    ...(best !== undefined && { usd_per_hour: best }),
  }
}
