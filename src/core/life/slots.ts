import type { Manifest, Port, Resources, Role } from '../manifest/manifest.ts'
import { SLOTS_MAX } from '../manifest/limits.ts'
import type { Workload } from './workload.ts'

/** A desired slot: one machine of one replica. Its name is the last part of its row's key. */
export interface DesiredSlot {
  /** `0`, `prefill-1`, or `0.3` for the fourth machine of a gang. */
  readonly slot: string
  /** Slots that live and end together: a replica, or all machines of a gang. */
  readonly group: string
  readonly role: string | undefined
  readonly replica: number
  readonly rank: number
}

/** What one slot runs: from the workload itself, or from its role. */
export interface SlotWork {
  readonly resources: Resources
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly ports: readonly Port[]
}

/** Results for workloads and manifests seen before. Neither ever changes, and both are needed all the time. */
const wanted = new WeakMap<Workload, readonly DesiredSlot[]>()
const grouped = new WeakMap<Workload, ReadonlyMap<string, readonly DesiredSlot[]>>()

/** How many slots a workload has while it runs, without creating them: ten million take no longer than one. */
export function slotCount({ manifest, scale }: Pick<Workload, 'manifest' | 'scale'>): number {
  const roles = manifest.roles.length === 0 ? [undefined] : manifest.roles
  return roles.reduce((sum, role) => sum + replicasOf(role, { manifest, scale }) * manifest.nodes, 0)
}

function replicasOf(role: Role | undefined, { manifest, scale }: Pick<Workload, 'manifest' | 'scale'>): number {
  return scale[role?.name ?? ''] ?? (role ?? manifest).replicas.min
}

/** Every slot that should have a place, in order. */
export function slotsWanted(workload: Workload): readonly DesiredSlot[] {
  const known = wanted.get(workload) ?? allSlots(workload)
  wanted.set(workload, known)
  return known
}

/** The same by group. */
export function groupsWanted(workload: Workload): ReadonlyMap<string, readonly DesiredSlot[]> {
  const known = grouped.get(workload) ?? Map.groupBy(slotsWanted(workload), ({ group }) => group)
  grouped.set(workload, known)
  return known
}

function allSlots({ manifest, scale, want }: Workload): readonly DesiredSlot[] {
  if (want !== 'running') return []
  // A workload over the limit is set aside; nothing is built for it.
  const count = slotCount({ manifest, scale })
  if (!(count <= SLOTS_MAX)) throw new Error(`it asks for ${count} slots, and a workload may have at most ${SLOTS_MAX}`)
  const roles = manifest.roles.length === 0 ? [undefined] : manifest.roles
  const { nodes } = manifest
  const slots: DesiredSlot[] = []
  for (const one of roles) {
    const role = one?.name
    const replicas = replicasOf(one, { manifest, scale })
    for (let at = 0; at < replicas * nodes; at++) {
      const [replica, rank] = [Math.floor(at / nodes), at % nodes]
      const group = role === undefined ? `${replica}` : `${role}-${replica}`
      slots.push({ slot: nodes === 1 ? group : `${group}.${rank}`, group, role, replica, rank })
    }
  }
  return slots
}

/** Whether a running workload has this slot, or a seat of it, judged by its name alone. */
export function hasSlot(workload: Pick<Workload, 'manifest' | 'scale'>, seat: string): boolean {
  const { manifest } = workload
  const slot = slotOfSeat(seat)
  const group = groupOf(slot)
  const dash = group.lastIndexOf('-')
  const role = manifest.roles.find(({ name }) => dash > 0 && name === group.slice(0, dash))
  if ((role === undefined) !== (manifest.roles.length === 0)) return false
  const replica = role === undefined ? group : group.slice(dash + 1)
  const rank = group === slot ? '0' : slot.slice(group.length + 1)
  const isGang = manifest.nodes > 1
  return isBelow(replica, replicasOf(role, workload)) && isBelow(rank, manifest.nodes) && isGang === (group !== slot)
}

function isBelow(text: string, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) < most
}

/** The seats of a replica, as the ends of their names. The first has the name of the replica. */
const SEATS = ['', '.b', '.c'] as const

/** Every seat of a slot, the first one first. */
export function seatsOf(slot: string): readonly string[] {
  const own = slotOfSeat(slot)
  return SEATS.map((end) => `${own}${end}`)
}

/** The slot that a seat belongs to, as users know it: `0` for `0.b`. */
export function slotOfSeat(seat: string): string {
  const end = seat.length - 2
  return seat.charAt(end) === '.' && SEATS.some((each) => each !== '' && seat.endsWith(each))
    ? seat.slice(0, end)
    : seat
}

/** The group that a slot belongs to. */
export function groupOf(slot: string): string {
  const dot = slot.lastIndexOf('.')
  return dot < 0 ? slot : slot.slice(0, dot)
}

/** The role that a slot belongs to; undefined: the workload has none. */
export function roleOf({ roles }: Manifest, slot: string): string | undefined {
  const group = groupOf(slot)
  return roles.find(({ name }) => name === group.slice(0, group.lastIndexOf('-')))?.name
}

export function partOf(manifest: Manifest, role: string | undefined): SlotWork {
  return manifest.roles.find(({ name }) => name === role) ?? manifest
}
