import { must } from '../base/assert.ts'
import { at, type Snapshot } from '../offer/snapshot.ts'

/** Where the offers of each machine are and how many there are: every decision over a snapshot needs this. */
export interface Classes {
  /** First group of each machine, and the number of groups at the end. */
  readonly groups: Uint32Array
  /** First row of each machine, and the number of rows at the end. */
  readonly rows: Uint32Array
  /** Offers at each site and in each state, quarantined ones left out. */
  readonly siteRows: Uint32Array
  readonly stateRows: Uint32Array
}

/** Counted once per snapshot, then remembered with it. */
export function classesOf(snapshot: Snapshot): Classes {
  const known = REMEMBERED.get(snapshot)
  if (known !== undefined) return known
  const classes = countClasses(snapshot)
  REMEMBERED.set(snapshot, classes)
  return classes
}

/** Whether the offers of this machine are quarantined, so that nothing they state counts. */
export function isQuarantined(snapshot: Snapshot, machine: number): boolean {
  return must(snapshot.machines[machine], 'a machine of the snapshot').quarantine !== undefined
}

const REMEMBERED = new WeakMap<Snapshot, Classes>()

function countClasses(snapshot: Snapshot): Classes {
  const { groups: columns, machines, sites, states } = snapshot
  const count = columns.machine.length
  const groups = new Uint32Array(machines.length + 1)
  const siteRows = new Uint32Array(sites.length)
  const stateRows = new Uint32Array(states.length)
  for (let group = 0; group < count; group++) {
    const machine = at(columns.machine, group)
    groups[machine + 1] = group + 1
    if (isQuarantined(snapshot, machine)) continue
    const offers = at(columns.start, group + 1) - at(columns.start, group)
    siteRows[at(columns.site, group)] = at(siteRows, at(columns.site, group)) + offers
    stateRows[at(columns.state, group)] = at(stateRows, at(columns.state, group)) + offers
  }
  return { groups, rows: groups.map((group) => at(columns.start, group)), siteRows, stateRows }
}
