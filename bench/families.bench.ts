import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../src/core/base/assert.ts'
import type { Request } from '../src/core/fleet/fleet.ts'
import { readPods } from '../src/formats/openb.ts'
import { flag, type Bench } from './bench.ts'
import { compare, membersOf, type FamilyBase } from './families.ts'
import { OPENB, openbFleet } from './openb.ts'

/** How full our policy and FGD fill the openb cluster with mixes of work that no weight was tuned for. */
export const families: Bench = {
  name: 'families',
  about:
    'allocation against FGD on mixes made from openb (--data DIR, --steps N of each family, --orders N, --seed N, --axis NAME)',
  run(argv) {
    const folder = flag(argv, 'data', OPENB)
    if (!existsSync(folder))
      return Promise.resolve({ families: `no traces under ${folder}; name their folder with --data` })
    const axis = flag(argv, 'axis', '')
    const given = { orders: whole(argv, 'orders', 10), seed: whole(argv, 'seed', 1) }
    const members = membersOf(whole(argv, 'steps', 5)).filter((member) => axis === '' || member.axis === axis)
    const fleet = openbFleet(folder)
    const results = compare(members, { base: baseOf(folder), fleet, ...given })
    return Promise.resolve({
      nodes: fleet.nodes.length,
      ...given,
      members: results,
      // Where FGD places all that comes, no policy can be above it.
      level_at_the_top: results.flatMap(({ axis: of, share, fgd, arrived }) =>
        ([95, 100, 130] as const).flatMap((mark) =>
          fgd[mark] === arrived[mark] ? [`${of} ${share} % at ${mark}`] : [],
        ),
      ),
      behind: results.flatMap(({ axis: of, share, ahead }) =>
        Object.entries(ahead).flatMap(([mark, by]) => (by < 0 ? [`${of} ${share} % at ${mark}: ${by}`] : [])),
      ),
    })
  },
}

/** The default trace, and the bound pods of the traces that have some. */
function baseOf(folder: string): FamilyBase {
  const bound = ['gpuspec10', 'gpuspec20'].flatMap((name) => podsOf(folder, name))
  return { pods: podsOf(folder, 'default'), bound: bound.filter(({ models }) => models !== undefined) }
}

function podsOf(folder: string, name: string): readonly Request[] {
  const pods = readPods(readFileSync(join(folder, `openb_pod_list_${name}.csv`), 'utf8'), name)
  assert('of' in pods, `${name} is a pod list`)
  return Array.from(pods.of, (index) => pods.requests[index]).filter((request) => request !== undefined)
}

function whole(argv: readonly string[], name: string, otherwise: number): number {
  const value = Number(flag(argv, name, String(otherwise)))
  assert(Number.isInteger(value) && value > 0, `--${name} is a whole number of at least 1`)
  return value
}
