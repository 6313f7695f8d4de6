import type { Fault } from './fault.ts'
import type { Place } from './order.ts'
import type { Status } from './status.ts'
import type { Workload } from './workload.ts'

/** Places that called one version of a workload wrong. Others are tried before the workload is told so. */
export interface RefusedBy {
  /** Of the workload: a changed manifest is tried everywhere again. */
  readonly generation: number
  readonly places: readonly WrongPlace[]
}

export interface WrongPlace {
  /** `PROVIDER`, or `PROVIDER/REGION` where the provider said that it is about the region. */
  readonly at: string
  /** The role that was refused; undefined: the workload has none. */
  readonly role?: string
  /** As the provider put it. */
  readonly why: string
}

const PLACES_MAX = 32

/** Where one version of a workload, or a role of it, was called wrong. */
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

/** The status with one more such place; undefined: it was known already, and asking elsewhere is no way out. */
export function rememberWrong(status: Status, workload: Workload, { place, role, fault }: Wrong): Status | undefined {
  const { generation } = workload
  const isRegional = fault.scope === 'region' || fault.scope === 'offer'
  const at = isRegional ? `${place.provider}/${place.region}` : place.provider
  const known = status.refusedBy?.generation === generation ? status.refusedBy.places : []
  if (known.length >= PLACES_MAX || known.some((one) => one.at === at && one.role === role)) return undefined
  const wrong: WrongPlace = { at, why: fault.message, ...(role !== undefined && { role }) }
  return { ...status, refusedBy: { generation, places: [...known, wrong] } }
}
