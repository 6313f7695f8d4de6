import type { Fleet, Request, Tenant } from '../../fleet/fleet.ts'
import { coldRequests } from '../engine/mix.ts'
import { capacityOf } from '../engine/packer.ts'

/** The work that usually comes to a fleet: requests with their counts. */
export type Usual = readonly { readonly request: Request; readonly count: number }[]

/** Fewer pieces of work say little about what will come. */
const ENOUGH = 16

/**
 * What usually comes to a fleet, judged by what runs there. It is a function of what runs, whatever the order, so that a plan
 * and a control plane that has kept its state for days weigh remainders alike.
 */
export function usualOf(fleet: Fleet, running: readonly Pick<Tenant, 'request'>[]): Usual {
  if (running.length < ENOUGH) return coldRequests(capacityOf(fleet))
  const counts = new Map<string, { readonly request: Request; count: number }>()
  for (const { request } of running) {
    const key = textOf(request)
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { request, count: 1 })
    else known.count++
  }
  return [...counts].sort(([one], [two]) => (one < two ? -1 : 1)).map(([, each]) => each)
}

function textOf({ cpuMilli, memoryMib, diskMib, count, part, models }: Request): string {
  return JSON.stringify([cpuMilli, memoryMib, diskMib, count, part, models])
}
