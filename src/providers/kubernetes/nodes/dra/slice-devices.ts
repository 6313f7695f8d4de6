import { isMap, listAt, mapAt, textAt, type Json } from '../object/json.ts'
import { parseQuantity } from '../object/quantity.ts'

/** A device of a ResourceSlice, in any version of the API. */
export interface SliceDevice {
  readonly driver: string
  readonly pool: string
  readonly name: string
  /** By name; the driver's own names without its domain. */
  readonly attributes: ReadonlyMap<string, string>
  /** Names of the attributes that are versions: selectors compare them as such. */
  readonly versions: ReadonlySet<string>
  readonly memoryMib: number | undefined
  /** Where on its card a slice begins, in memory slices; undefined: it does not say. */
  readonly start: number | undefined
  /** Names of the counter sets that it takes from: devices that share one exclude each other. */
  readonly counterSets: readonly string[]
  /** A taint that keeps new pods away. */
  readonly isTainted: boolean
  /** Its driver says that it is out of order, though no taint keeps pods away. */
  readonly isUnwell: boolean
  /** Several claims may have it at once. */
  readonly isShared: boolean
}

/** The devices that slices place on one node. */
export interface NodeDevices {
  readonly devices: readonly SliceDevice[]
  /** Drivers that published slices for the node, with devices or without. */
  readonly drivers: readonly string[]
  /** Pools that do not add up: slices are missing or too many, or a name comes twice. None of their devices can be allocated. */
  readonly incomplete: readonly string[]
}

/** Sorts devices by node. Slices that any node can reach are nobody's cards and are left out. */
export function devicesByNode(slices: readonly unknown[]): ReadonlyMap<string, NodeDevices> {
  const current = newestOf(eachOnce(slices).flatMap(sliceOf))
  const byNode = new Map<string, { devices: SliceDevice[]; drivers: Set<string>; incomplete: Set<string> }>()
  const at = (node: string) => {
    const found = byNode.get(node) ?? { devices: [], drivers: new Set(), incomplete: new Set() }
    byNode.set(node, found)
    return found
  }
  for (const [pool, parts] of current) {
    const isTwice = hasTwice(parts)
    for (const { spec, driver, name, count } of parts) {
      const own = textAt(spec, 'nodeName') ?? selectedNode(spec)
      if (own !== undefined) at(own).drivers.add(driver)
      if (own !== undefined && (parts.length !== count || isTwice)) at(own).incomplete.add(pool)
      for (const device of listAt(spec, 'devices')) {
        const node = own ?? textAt(device, 'nodeName')
        const read = deviceOf(device, { driver, pool: name })
        if (node !== undefined && read !== undefined) at(node).devices.push(read)
      }
    }
  }
  return new Map(
    [...byNode].map(([node, { devices, drivers, incomplete }]) => [
      node,
      { devices, drivers: [...drivers], incomplete: [...incomplete] },
    ]),
  )
}

/** Lists that are put together may hold a slice twice. */
function eachOnce(slices: readonly unknown[]): readonly unknown[] {
  const byId = new Map(slices.map((slice) => [textAt(slice, 'metadata', 'uid') ?? JSON.stringify(slice), slice]))
  return [...byId.values()]
}

function hasTwice(parts: readonly ReadSlice[]): boolean {
  const names = parts.flatMap(({ spec }) => listAt(spec, 'devices').map((device) => textAt(device, 'name')))
  return new Set(names).size < names.length
}

/** The one node that a selector names by its name. */
function selectedNode(spec: Json): string | undefined {
  const [term, ...terms] = listAt(spec, 'nodeSelector', 'nodeSelectorTerms')
  const [field, ...fields] = listAt(term, 'matchFields')
  const [name, ...names] = listAt(field, 'values')
  const isOne = terms.length + fields.length + names.length + listAt(term, 'matchExpressions').length === 0
  return isOne && textAt(field, 'key') === 'metadata.name' && textAt(field, 'operator') === 'In'
    ? textAt({ name }, 'name')
    : undefined
}

interface ReadSlice {
  readonly spec: Json
  readonly driver: string
  readonly name: string
  readonly generation: number
  readonly count: number
}

function sliceOf(value: unknown): readonly ReadSlice[] {
  const spec = mapAt(value, 'spec')
  const driver = textAt(spec, 'driver')
  const name = textAt(spec, 'pool', 'name')
  if (driver === undefined) return []
  const pool = mapAt(spec, 'pool')
  return [
    {
      spec,
      driver,
      name: name ?? '(no name)',
      generation: parseQuantity(pool['generation']) ?? 0,
      // A slice that tells no pool is a part of an object, and others may be missing.
      count: name === undefined ? Infinity : (parseQuantity(pool['resourceSliceCount']) ?? 1),
    },
  ]
}

/** Only the newest generation of a pool counts. */
function newestOf(slices: readonly ReadSlice[]): ReadonlyMap<string, readonly ReadSlice[]> {
  const pools = Map.groupBy(slices, ({ driver, name }) => `${driver}/${name}`)
  return new Map(
    [...pools].map(([pool, parts]) => {
      const newest = Math.max(...parts.map(({ generation }) => generation))
      return [pool, parts.filter(({ generation }) => generation === newest)]
    }),
  )
}

function deviceOf(
  value: unknown,
  { driver, pool }: { readonly driver: string; readonly pool: string },
): SliceDevice | undefined {
  const name = textAt(value, 'name')
  if (name === undefined) return undefined
  // v1beta1 has the facts of a device one level further down.
  const facts = isMap(mapAt(value)['basic']) ? mapAt(value, 'basic') : mapAt(value)
  const attributes = attributesOf(facts, driver)
  return {
    driver,
    pool,
    name,
    attributes,
    versions: versionsOf(facts, driver),
    memoryMib: memoryOf(facts, driver),
    start: startOf(facts, driver),
    counterSets: listAt(facts, 'consumesCounters').flatMap((counter) => textAt(counter, 'counterSet') ?? []),
    isTainted: listAt(facts, 'taints').some((taint) => textAt(taint, 'effect') !== 'None'),
    isUnwell: attributes.get('healthy') === 'false' || UNWELL.test(attributes.get('health') ?? ''),
    isShared: mapAt(facts)['allowMultipleAllocations'] === true,
  }
}

const UNWELL = /^(unhealthy|failed|failing|faulty|error|critical|bad)$/i

function attributesOf(facts: Json, driver: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(mapAt(facts, 'attributes')).flatMap(([key, value]): [string, string][] => {
      const text = ['string', 'int', 'version', 'bool'].map((type) => textAt(value, type)).find(Boolean)
      return text === undefined ? [] : [[shortName(key, driver), text]]
    }),
  )
}

function versionsOf(facts: Json, driver: string): ReadonlySet<string> {
  const all = Object.entries(mapAt(facts, 'attributes'))
  return new Set(
    all.filter(([, value]) => mapAt(value)['version'] !== undefined).map(([key]) => shortName(key, driver)),
  )
}

/** Drivers name the memory slices that a device takes, as counters or as capacity: `memory-slice-4`, `memorySlice4`. */
function startOf(facts: Json, driver: string): number | undefined {
  const counters = listAt(facts, 'consumesCounters').flatMap((counter) => Object.keys(mapAt(counter, 'counters')))
  const capacity = Object.keys(mapAt(facts, 'capacity')).map((key) => shortName(key, driver))
  const taken = [...counters, ...capacity].flatMap((name) => /^memory-?slice-?(\d+)$/i.exec(name)?.[1] ?? [])
  return taken.length === 0 ? undefined : Math.min(...taken.map(Number))
}

function memoryOf(facts: Json, driver: string): number | undefined {
  for (const [key, value] of Object.entries(mapAt(facts, 'capacity'))) {
    if (shortName(key, driver) !== 'memory') continue
    const bytes = parseQuantity(isMap(value) ? value['value'] : value)
    return bytes === undefined || bytes === 0 ? undefined : bytes / 1024 ** 2
  }
  return undefined
}

function shortName(key: string, driver: string): string {
  return key.startsWith(`${driver}/`) ? key.slice(driver.length + 1) : key
}
