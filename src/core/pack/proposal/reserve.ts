import type { Request, Spot, Tenant } from '../../fleet/fleet.ts'
import type { Reserve } from '../../manifest/manifest.ts'
import { fitsAt, withLodger, type FreeState } from './free-state.ts'
import type { Lodger } from './node-state.ts'
import { byText } from './world.ts'

/** A role that keeps room empty for replicas to come. */
export interface RoleReserve {
  /** Unique in the fleet: workload and role. */
  readonly role: string
  /** Of one replica. */
  readonly request: Request
  readonly reserve: Reserve | undefined
  /** How many of its replicas run. */
  readonly running: number
}

/** Room for one replica that stays empty. */
export interface Placeholder {
  readonly name: string
  readonly role: string
  readonly request: Request
  readonly spot: Spot
}

/** For how many replicas room must stay empty: the number itself, or the share of those that run, rounded up. */
export function replicasInReserve(reserve: Reserve | undefined, running: number): number {
  switch (reserve?.kind) {
    case undefined:
      return 0
    case 'count':
      return reserve.count
    case 'share': {
      // Shares are written with two decimals of a percent. In whole numbers 7% of 100 is 7 and not a little more.
      const tenThousandths = Math.round(reserve.share * 10_000)
      return Math.ceil((tenThousandths * running) / 10_000)
    }
  }
}

/** What a role's reserve still lacks, and what it has beyond its need. */
export interface Balance {
  /** To be placed like any other request, where there is room. */
  readonly missing: readonly Omit<Placeholder, 'spot'>[]
  /** To be given up. */
  readonly surplus: readonly Placeholder[]
}

/** Compares the placeholders of a role with what it should have; names that are free are taken in order. */
export function balanceOf({ role, request, reserve, running }: RoleReserve, all: readonly Placeholder[]): Balance {
  const own = all.filter((placeholder) => placeholder.role === role).sort((a, b) => byText(a.name, b.name))
  const stale = own.filter((placeholder) => !isSameRequest(placeholder.request, request))
  const good = own.filter((placeholder) => !stale.includes(placeholder))
  const wanted = replicasInReserve(reserve, running)
  const names = new Set(good.map(({ name }) => name))
  const free = Array.from({ length: wanted + good.length }, (_, index) => `reserve/${role}/${index}`)
  const missing = free.filter((name) => !names.has(name)).slice(0, Math.max(0, wanted - good.length))
  return {
    missing: missing.map((name) => ({ name, role, request })),
    surplus: [...stale, ...good.slice(wanted)],
  }
}

/** Only a role's own replicas may lie where its placeholders are; undefined: the newcomer is of no role. */
export function mayUse(placeholder: Placeholder, role: string | undefined): boolean {
  return placeholder.role === role
}

/**
 * A fleet's tenants as a newcomer sees them. The reserve of its own role is not there: that room is what it is for. The
 * reserve of every other role is there like a tenant that gives way to nobody and cannot be moved.
 */
export function seenBy(
  role: string | undefined,
  tenants: readonly Tenant[],
  placeholders: readonly Placeholder[],
): readonly Tenant[] {
  return [...tenants, ...placeholders.filter((placeholder) => !mayUse(placeholder, role)).map(untouchable)]
}

/** Which of a role's placeholders still stand once one of its replicas has taken some of their room. */
export function standingAfter(state: FreeState, arrival: Lodger, own: readonly Placeholder[]): readonly Placeholder[] {
  let left = withLodger(state, arrival)
  return own
    .toSorted((a, b) => byText(a.name, b.name))
    .filter((placeholder) => {
      if (!fitsAt(left, placeholder.request, placeholder.spot)) return false
      left = withLodger(left, placeholder)
      return true
    })
}

function isSameRequest(one: Request, other: Request): boolean {
  return JSON.stringify(one, KEYS) === JSON.stringify(other, KEYS)
}

/** In this order, whatever order they were written in. */
const KEYS = ['cpuMilli', 'memoryMib', 'diskMib', 'count', 'part', 'kind', 'milli', 'vramGib', 'models']

/** Above every priority, and as costly to stop as training that would lose everything. */
function untouchable({ name, request, spot }: Placeholder): Tenant {
  return { name, request, spot, priority: Infinity, restart: 'training', checkpointAgeS: undefined }
}
