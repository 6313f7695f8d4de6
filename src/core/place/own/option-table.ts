import type { FleetNode, Request } from '../../fleet/fleet.ts'
import { must } from '../../base/assert.ts'
import { int } from '../../pack/engine/read.ts'
import type { Need } from '../../requirement/need/need.ts'
import { at, machineIn, type Snapshot } from '../../offer/snapshot.ts'
import type { Band, Tally } from '../tally.ts'
import type { FleetRows } from './fleet-rows.ts'
import type { OptionTable, Stretch } from './options.ts'
import { requestOn } from './request.ts'

/** The rows of fleets that fit a need, in the order of the bands. */
export function optionTable(snapshot: Snapshot, known: FleetRows, { tally, need }: Question): OptionTable {
  const { fits, order } = tally
  const fleetIn = ({ group }: Band): number => int(known.fleetOf, group)
  const most = fits.reduce((sum, band) => sum + (fleetIn(band) < 0 ? 0 : band.to - band.from), 0)
  const [rows, positions] = [new Int32Array(most), new Int32Array(most)]
  const [nodes, forms] = [new Int32Array(most), new Int32Array(most)]
  const requests: Request[] = []
  const stretches: Stretch[] = []
  const elsewhere: number[] = []
  let count = 0
  for (const [index, band] of fits.entries()) {
    const fleet = fleetIn(band)
    const end = fleet < 0 ? band.from : band.to
    const hosts = snapshot.fleets[fleet]?.fleet.nodes ?? []
    const from = count
    const formOf = formsOf((node) => requestOn(need, machineIn(snapshot, band.group), node), requests)
    for (let position = band.from; position < end; position++) {
      const row = at(order.rows, position)
      const node = int(known.nodeOf, row)
      if (node < 0) continue
      rows[count] = row
      positions[count] = position
      nodes[count] = node
      forms[count] = formOf(must(hosts[node], 'a node of the fleet'))
      count++
    }
    if (count > from) stretches.push({ band, fleet, from, to: count })
    if (count - from < band.to - band.from) elsewhere.push(index)
  }
  const columns = { rows, positions, nodes, forms }
  return smallestSlices({ ...cut(columns, count), requests, stretches, elsewhere })
}

interface Question {
  readonly tally: Tally
  readonly need: Need
}

type Columns = Pick<OptionTable, 'rows' | 'positions' | 'nodes' | 'forms'>

function cut({ rows, positions, nodes, forms }: Columns, count: number): Columns {
  return {
    rows: rows.subarray(0, count),
    positions: positions.subarray(0, count),
    nodes: nodes.subarray(0, count),
    forms: forms.subarray(0, count),
  }
}

/** All rows of a band are offers of equal machines, so nodes differ only in whether their disk is known. */
function formsOf(ask: (node: FleetNode) => Request | undefined, requests: Request[]): (node: FleetNode) => number {
  const forms = [UNASKED, UNASKED]
  return (node) => {
    const kind = node.diskMib === undefined ? 0 : 1
    const known = forms[kind]
    if (known !== undefined && known !== UNASKED) return known
    const request = ask(node)
    const form = request === undefined ? -1 : requests.push(request) - 1
    forms[kind] = form
    return form
  }
}

const UNASKED = -2

/** Of the slices that a node could be cut into, only the smallest that fits is taken. */
function smallestSlices(table: OptionTable): OptionTable {
  const { nodes, forms, requests, stretches } = table
  if (!requests.some(({ part }) => part.kind === 'slice')) return table
  const gibAt = (place: number): number => {
    const part = requests[int(forms, place)]?.part
    return part?.kind === 'slice' ? part.vramGib : Number.NaN
  }
  const smallest = new Map<string, number>()
  const visit = (see: (place: number, key: string, gib: number) => void): void => {
    for (const { fleet, from, to } of stretches) {
      for (let place = from; place < to; place++) {
        const gib = gibAt(place)
        if (!Number.isNaN(gib)) see(place, `${fleet} ${int(nodes, place)}`, gib)
      }
    }
  }
  visit((_, key, gib) => smallest.set(key, Math.min(smallest.get(key) ?? Number.POSITIVE_INFINITY, gib)))
  visit((place, key, gib) => {
    if (gib > (smallest.get(key) ?? 0)) forms[place] = -1
  })
  const used = [...new Set(forms)].filter((form) => form >= 0).sort((one, two) => one - two)
  return {
    ...table,
    forms: forms.map((form) => used.indexOf(form)),
    requests: used.map((form) => must(requests[form], 'a form that is asked')),
  }
}
