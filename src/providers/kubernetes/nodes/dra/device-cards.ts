import type { SliceDevice } from './slice-devices.ts'

/** A card, with every device that is it or a part of it. */
export interface DeviceCard {
  /** The card itself; undefined: only parts of it are published. */
  readonly whole: SliceDevice | undefined
  readonly parts: readonly SliceDevice[]
}

/** The cards behind devices, and devices of which the card cannot be told. */
export interface CardsBehindDevices {
  readonly cards: readonly DeviceCard[]
  readonly unplaced: readonly SliceDevice[]
  /** What marks them may be wrong, so that there may be more or fewer of them. */
  readonly isDoubtful: boolean
}

/**
 * Groups devices into cards: devices with the same uuid, parent, PCI address or counter set are one card, whether they
 * are it, parts of it, or ways to divide it that exclude each other.
 */
export function groupCards(devices: readonly SliceDevice[]): CardsBehindDevices {
  const groups = new Groups()
  const unplaced: SliceDevice[] = []
  const placed: { readonly device: SliceDevice; readonly key: string }[] = []
  for (const device of devices) {
    const marks = marksOf(device)
    const [first] = marks
    if (first === undefined) unplaced.push(device)
    else placed.push({ device, key: groups.join(marks) ?? first })
  }
  const pools = new Set(devices.map(({ driver, pool }) => `${driver}/${pool}`))
  const isUnmarked = placed.some(({ device }) => marksOf(device).includes(nameMark(device)))
  const byCard = Map.groupBy(placed, ({ key }) => groups.find(key))
  const cards = [...byCard.values()].map((members) => {
    const all = members.map(({ device }) => device).toSorted(byName)
    return { whole: all.find((device) => !isPart(device)), parts: all.filter(isPart) }
  })
  // Pools may publish the same cards, and two whole cards of one pool cannot be one.
  const isOneOfTwo = [...byCard.values()].some((members) => isTwoCards(members.map(({ device }) => device)))
  return {
    cards: cards.toSorted((one, two) => byName(headOf(one), headOf(two))),
    unplaced,
    isDoubtful: (isUnmarked && pools.size > 1) || isOneOfTwo || hasStrayParts(cards),
  }
}

function isTwoCards(members: readonly SliceDevice[]): boolean {
  const wholes = members.filter((device) => !isPart(device)).map(({ driver, pool }) => `${driver}/${pool}`)
  return new Set(wholes).size < wholes.length
}

/** Parts without a card, and cards without parts, which are marked in different ways: some may belong to each other. */
function hasStrayParts(cards: readonly DeviceCard[]): boolean {
  const alone = cards.filter(({ whole }) => whole === undefined).flatMap(({ parts }) => parts)
  const wholes = cards.flatMap(({ whole, parts }) => (whole === undefined || parts.length > 0 ? [] : [whole]))
  return alone.some((part) => {
    const kinds = kindsOf(part)
    return wholes.some((whole) => kindsOf(whole).isDisjointFrom(kinds))
  })
}

/** `uuid`, `pci`, `counters`, or `device` for a name. */
function kindsOf(device: SliceDevice): ReadonlySet<string> {
  return new Set(marksOf(device).map((mark) => mark.slice(0, mark.indexOf(' '))))
}

/** Whether a device is only a part of a card. */
export function isPart({ attributes, name }: SliceDevice): boolean {
  const type = attributes.get('type') ?? ''
  if (/^[dtqc]px/i.test(attributes.get('partitionProfile') ?? '')) return true
  if (/mig|partition|vf\b|vgpu/i.test(type)) return true
  return type === '' && (attributes.has('profile') || /-mig-/i.test(name))
}

/** What tells a card from others. The uuid of a part is its own. */
function marksOf(device: SliceDevice): readonly string[] {
  const { attributes, counterSets, driver, pool } = device
  const marks = counterSets.map((set) => `counters ${driver}/${pool}/${set}`)
  const own = isPart(device) ? ['parentUUID', 'parentUuid', 'parentUID'] : ['uuid', 'UUID', 'uid', 'serial']
  for (const key of own) if (attributes.has(key)) marks.push(`uuid ${attributes.get(key)?.toLowerCase()}`)
  for (const key of PCI) if (attributes.has(key)) marks.push(`pci ${attributes.get(key)?.toLowerCase()}`)
  if (marks.length === 0 && !isPart(device)) marks.push(nameMark(device))
  return marks
}

/** Its name, for want of anything better: other pools may call the same card otherwise. */
function nameMark({ driver, pool, name }: SliceDevice): string {
  return `device ${driver}/${pool}/${name}`
}

const PCI = [
  'parentPciAddr',
  'pciAddr',
  'pciAddress',
  'pciBusID',
  'pcieBusID',
  'resource.kubernetes.io/pciBusID',
  'resource.kubernetes.io/pciAddress',
]

function headOf({ whole, parts }: DeviceCard): SliceDevice | undefined {
  return whole ?? parts[0]
}

/** Names end in numbers: `gpu-10` comes after `gpu-9`. */
function byName(one: SliceDevice | undefined, two: SliceDevice | undefined): number {
  return (one?.name ?? '').localeCompare(two?.name ?? '', 'en', { numeric: true })
}

/** Marks that belong to the same card. */
class Groups {
  readonly #above = new Map<string, string>()

  find(mark: string): string {
    let top = mark
    for (let next = this.#above.get(top); next !== undefined; next = this.#above.get(top)) top = next
    return top
  }

  /** Makes all marks one group, and names it. */
  join(marks: readonly string[]): string | undefined {
    const [first, ...others] = marks
    if (first === undefined) return undefined
    for (const other of others) {
      const [one, two] = [this.find(first), this.find(other)]
      if (one !== two) this.#above.set(two, one)
    }
    return first
  }
}
