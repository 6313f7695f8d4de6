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
}

/** The status with one more such place. Undefined: the place was known already, so trying elsewhere does not help. */
export function rememberWrong(status: Status, workload: Workload, { place, role, fault }: Wrong): Status | undefined {
  const { generation } = workload
  const isRegional = fault.scope === 'region' || fault.scope === 'offer'
  const at = isRegional ? `${place.provider}/${place.region}` : place.provider
  const known = status.refusedBy?.generation === generation ? status.refusedBy.places : []
  if (known.length >= PLACES_MAX || known.some((one) => one.at === at && one.role === role)) return undefined
  const wrong: WrongPlace = { at, why: fault.message, ...(role !== undefined && { role }) }
  return { ...status, refusedBy: { generation, places: [...known, wrong] } }
}
