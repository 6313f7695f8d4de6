import type { WrongPlace, Status } from '../status.ts'
import type { Fault } from '../call/fault.ts'
import type { Place } from '../call/order.ts'
import type { Workload } from '../workload.ts'

const PLACES_MAX = 32

/** The places that rejected one version of a workload, or one of its roles, as invalid. */
export function wrongPlaces(
  { refusedBy }: Status,
  { generation }: Workload,
  role: string | undefined,
): readonly string[] {
  if (refusedBy?.generation !== generation) return []
  return refusedBy.places.filter((place) => place.role === role).map(({ at }) => at)
}

interface Wrong {
  readonly place: Place
  readonly role: string | undefined
  readonly fault: Fault
  /** When the order was decided on. */
  readonly reservedMs: number
  readonly nowMs: number
}

/**
 * The status with one more such place. An order that was on its way before the place was known adds nothing. Undefined: the place
 * was known when it was asked, so trying elsewhere does not help.
 */
export function rememberWrong(status: Status, workload: Workload, order: Wrong): Status | undefined {
  const { place, role, fault, reservedMs, nowMs } = order
  const { generation } = workload
  const isRegional = fault.scope === 'region' || fault.scope === 'offer'
  const at = isRegional ? `${place.provider}/${place.region}` : place.provider
  const known = status.refusedBy?.generation === generation ? status.refusedBy.places : []
  const found = known.find((one) => one.at === at && one.role === role)
  if (found?.sinceMs !== undefined && reservedMs <= found.sinceMs) return status
  if (found !== undefined || known.length >= PLACES_MAX) return undefined
  const wrong: WrongPlace = { at, why: fault.message, sinceMs: nowMs, ...(role !== undefined && { role }) }
  return { ...status, refusedBy: { generation, places: [...known, wrong] } }
}
