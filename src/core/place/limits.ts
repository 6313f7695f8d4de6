import { listingAt, type Snapshot } from '../offer/snapshot.ts'
import { atMost, meetRanges } from '../requirement/need/range.ts'
import type { Choice } from './choose.ts'
import type { OwnPlace } from './own/ask.ts'
import type { Ask, AskPlan, Held } from './plan.ts'

/** What counts against the limits of a project. */
export interface Usage {
  readonly gpus: number
  readonly usdPerHour: number
}

export const NOTHING_USED: Usage = { gpus: 0, usdPerHour: 0 }

/** What a project may use at once, undefined: as much as it likes, and what it uses now. */
export interface ProjectLimits {
  readonly gpusMax: number | undefined
  readonly usdPerHourMax: number | undefined
  /** The infrastructure file sets them, so no command can change them. */
  readonly isOfFile?: true
  /** Everything that exists or may exist. */
  readonly used: Usage
}

/** One machine of a choice: what it costs and how many cards it gives. */
export interface ChosenMachine {
  readonly row: number
  readonly usdPerHour: number
  readonly gpus: number
  /** Where in a fleet; undefined: it is rented, or owned as a whole machine. */
  readonly own: OwnPlace | undefined
}

/** The machines of a choice, one for each node of the replica. */
export function machinesOf(choice: Choice, nodes: number, snapshot: Snapshot): readonly ChosenMachine[] {
  if (choice.own !== undefined) {
    return choice.own.places.map((own) => {
      const { row, usdPerHour } = own.standing
      return { row, usdPerHour, gpus: own.spot.cards.length, own }
    })
  }
  const { row, usdPerHour } = choice.standing
  const machine = { row, usdPerHour, gpus: listingAt(snapshot, row).machine.gpu?.count ?? 0, own: undefined }
  return Array.from({ length: nodes }, () => machine)
}

interface Within {
  /** How many choices of each ask stay. */
  readonly kept: readonly number[]
  readonly used: Usage
  readonly held: Held | undefined
}

interface OfProject {
  readonly project: string
  readonly limits: Omit<ProjectLimits, 'used'>
}

interface Limiting extends OfProject {
  readonly snapshot: Snapshot
  readonly limits: ProjectLimits
}

/**
 * As many choices, in order, as the spread, the limits of the project and the agreed prices allow. Whatever comes after the
 * first one that is not allowed waits as well: no later role overtakes an earlier one.
 */
export function within(asks: readonly AskPlan[], limiting: Limiting): Within {
  const { snapshot, limits } = limiting
  const most = spreadMost(asks)
  let { used } = limits
  if (most === Number.POSITIVE_INFINITY && isFree(limits) && asks.every(({ ask }) => ask.ceiling === undefined))
    return { kept: asks.map(({ choices }) => choices.length), used, held: undefined }
  const kept = asks.map(() => 0)
  let count = 0
  for (const [index, { ask, choices }] of asks.entries()) {
    let spentUsd = ask.ceiling?.spentUsd ?? 0
    for (const choice of choices) {
      if (count === most) return { kept, used, held: undefined }
      const cost = costOf(choice, ask, snapshot)
      const held = overLimit(cost, used, limiting) ?? overAgreed(cost.usdPerHour, spentUsd, ask)
      if (held !== undefined) return { kept, used, held: { ...held, ...missing(asks, { kept, held, snapshot }) } }
      used = sum(used, cost)
      spentUsd += cost.usdPerHour
      kept[index] = (kept[index] ?? 0) + 1
      count++
    }
  }
  return { kept, used, held: undefined }
}

/** Without limits nothing needs to be counted: a workload may have ten thousand replicas. */
function isFree({ gpusMax, usdPerHourMax }: ProjectLimits): boolean {
  return gpusMax === undefined && usdPerHourMax === undefined
}

/** Replicas that must be spread but have only one domain: one of them is placed, the others wait for a second domain. */
function spreadMost(asks: readonly AskPlan[]): number {
  if (!asks.some(({ shortage }) => shortage === 'one-domain-only')) return Number.POSITIVE_INFINITY
  return asks.every(({ ask }) => (ask.placed ?? []).length === 0) ? 1 : 0
}

function costOf(choice: Choice, { need }: Ask, snapshot: Snapshot): Usage {
  return machinesOf(choice, need.nodes, snapshot).reduce(sum, NOTHING_USED)
}

export function sum(one: Usage, other: Usage): Usage {
  return { gpus: one.gpus + other.gpus, usdPerHour: one.usdPerHour + other.usdPerHour }
}

/** Sums of prices carry rounding errors; they must not count as money. */
const ROUNDING_USD = 1e-9

/** The limit that this would break. */
export function overLimit(cost: Usage, used: Usage, { project, limits }: OfProject): Held | undefined {
  const { gpusMax, usdPerHourMax, isOfFile } = limits
  const about = { project, ...(isOfFile && { isOfFile }) }
  if (gpusMax !== undefined && used.gpus + cost.gpus > gpusMax)
    return { code: 'QUOTA_PROJECT', ...about, gpusMax, gpusUsed: used.gpus, gpusNeeded: cost.gpus }
  if (usdPerHourMax === undefined || used.usdPerHour + cost.usdPerHour <= usdPerHourMax + ROUNDING_USD) return undefined
  return {
    code: 'BUDGET_PROJECT',
    ...about,
    usdPerHourMax,
    usdPerHourUsed: used.usdPerHour,
    usdPerHourNeeded: cost.usdPerHour,
  }
}

function overAgreed(usdPerHour: number, spentUsd: number, { role, ceiling }: Ask): Held | undefined {
  if (ceiling === undefined) return undefined
  const { replicaUsd, totalUsd, replicas, tolerance } = ceiling
  const about = { code: 'PRICE_NOT_AGREED', role, replicas, tolerance } as const
  if (usdPerHour > mostFor(replicaUsd, tolerance))
    return { ...about, of: 'replica', agreedUsd: replicaUsd, nowUsd: usdPerHour }
  const nowUsd = spentUsd + usdPerHour
  return nowUsd > mostFor(totalUsd, tolerance) ? { ...about, of: 'all', agreedUsd: totalUsd, nowUsd } : undefined
}

function mostFor(agreedUsd: number, tolerance: number): number {
  return agreedUsd * (1 + tolerance) + ROUNDING_USD
}

/** What all replicas that wait for this limit need together. */
function missing(
  asks: readonly AskPlan[],
  { kept, held, snapshot }: { readonly kept: readonly number[]; readonly held: Held; readonly snapshot: Snapshot },
): { readonly gpusNeeded?: number; readonly usdPerHourNeeded?: number } {
  const { gpus, usdPerHour } = asks
    .flatMap(({ ask, choices }, index) => choices.slice(kept[index]).map((choice) => costOf(choice, ask, snapshot)))
    .reduce(sum, NOTHING_USED)
  switch (held.code) {
    case 'QUOTA_PROJECT':
      return { gpusNeeded: gpus }
    case 'BUDGET_PROJECT':
      return { usdPerHourNeeded: usdPerHour }
    case 'PRICE_NOT_AGREED':
      return {}
  }
}

/** The same asks with offers left out that cost more than was agreed; there may be another one that costs less. */
export function asAgreed(asks: readonly Ask[]): readonly Ask[] {
  return asks.map((ask) => {
    if (ask.ceiling === undefined) return ask
    const { need, ceiling } = ask
    const most = mostFor(Math.min(ceiling.replicaUsd, ceiling.totalUsd), ceiling.tolerance) / need.nodes
    return { ...ask, need: { ...need, usdPerHour: meetRanges(need.usdPerHour, atMost(most)) } }
  })
}
