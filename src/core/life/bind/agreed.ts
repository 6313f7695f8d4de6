import type { Ceiling } from '../../place/plan.ts'
import { isBilled, type Placement } from '../placement.ts'
import { newestOf } from '../seats.ts'
import { groupOf, groupsWanted, roleOf } from '../slots.ts'
import type { Agreement, Workload } from '../workload.ts'

/**
 * What the user agreed to pay for each role, as far as it is not spent. Replicas that ran when the user agreed are not part
 * of it: they were there already, and a running replica costs what it costs.
 */
export function ceilingsOf(
  workload: Workload,
  staying: readonly Placement[],
): ReadonlyMap<string | undefined, Ceiling> {
  const { agreed, manifest } = workload
  const ceilings = new Map<string | undefined, Ceiling>()
  if (agreed === undefined) return ceilings
  const wanted = groupsWanted(workload)
  // What has a successor leaves: each replica counts once.
  const counted = newestOf(staying).filter(
    ({ order }) => order.tag.uid === workload.uid && wanted.has(groupOf(order.tag.slot)),
  )
  const byRole = Map.groupBy(counted, ({ order }) => roleOf(manifest, order.tag.slot))
  const replicas = new Map<string | undefined, number>()
  for (const [[first] = []] of [...wanted.values()].map((group) => [group] as const))
    replicas.set(first?.role, (replicas.get(first?.role) ?? 0) + 1)
  for (const [role, count] of replicas) {
    const known = agreed.roles[role ?? '']
    if (known === undefined || known.replicas === 0) continue
    const [older, newer] = parted(byRole.get(role) ?? [], agreed.atMs)
    const left = Math.max(0, count - new Set(older.map(({ order }) => groupOf(order.tag.slot))).size)
    ceilings.set(role, {
      replicaUsd: known.replicaUsd,
      totalUsd: (known.usdPerHour * left) / known.replicas,
      replicas: left,
      spentUsd: newer.reduce((sum, { reserved }) => sum + reserved.usdPerHour, 0),
      tolerance: agreed.tolerance,
    })
  }
  return ceilings
}

function parted(placements: readonly Placement[], atMs: number): readonly [readonly Placement[], readonly Placement[]] {
  const isOlder = ({ reservedMs }: Placement): boolean => reservedMs < atMs
  return [placements.filter(isOlder), placements.filter((one) => !isOlder(one))]
}

/**
 * The agreement with what runs already: a replica that costs more than those shown may be placed again at its price. One that
 * costs more within the tolerance changes nothing, or each apply would raise the price by as much again.
 */
export function agreementWith(agreed: Agreement, workload: Workload, placements: readonly Placement[]): Agreement {
  const live = newestOf(placements.filter((one) => isBilled(one) && one.order.tag.uid === workload.uid))
  const prices = new Map<string, number>()
  for (const { order, reserved } of live) {
    const group = groupOf(order.tag.slot)
    prices.set(group, (prices.get(group) ?? 0) + reserved.usdPerHour)
  }
  const roles = Object.entries(agreed.roles).map(([name, known]) => {
    const own = [...prices].filter(([group]) => (roleOf(workload.manifest, group) ?? '') === name)
    const paid = own.map(([, usd]) => usd / (1 + agreed.tolerance))
    return [name, { ...known, replicaUsd: Math.max(known.replicaUsd, ...paid) }] as const
  })
  return { ...agreed, roles: Object.fromEntries(roles) }
}
