import { freeze, rowCount, type Snapshot } from '../src/core/offer/snapshot.ts'
import { must } from '../src/core/base/assert.ts'
import { place } from '../src/core/place/place.ts'
import { report } from '../src/core/place/explain/report.ts'
import { percentile, round, type Bench } from './bench.ts'
import { questions } from './offers.ts'
import { capacity } from './capacity.ts'

/** How the cost of a plan grows when there are more offers of the same classes. */
export const scale: Bench = {
  name: 'scale',
  about: 'cost of a plan over 10k, 100k and 1M generated offers of the same classes (--rows N for one size)',
  run(argv) {
    const sizes = argv.includes('--rows') ? [Number(argv[argv.indexOf('--rows') + 1])] : [10_000, 100_000, 1_000_000]
    const measured = sizes.map((size) => measure(freeze(capacity(size))))
    const [first] = measured
    const last = measured.at(-1)
    const rowsRatio = (last?.rows ?? 1) / (first?.rows ?? 1)
    const costRatio = (last?.p50_ms ?? 1) / (first?.p50_ms ?? 1)
    return Promise.resolve({ sizes: measured, rows_ratio: round(rowsRatio), cost_ratio: round(costRatio) })
  },
}

function measure(snapshot: Snapshot): {
  rows: number
  classes: number
  groups: number
  p50_ms: number
  p99_ms: number
} {
  const samples: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    for (const question of questions()) {
      const startMs = performance.now()
      report(must(place({ capacity: snapshot, workloads: [question] })[0], 'one workload'))
      if (turn > 1) samples.push(performance.now() - startMs)
    }
  }
  return {
    rows: rowCount(snapshot),
    classes: snapshot.machines.length,
    groups: snapshot.groups.machine.length,
    p50_ms: round(percentile(samples, 0.5)),
    p99_ms: round(percentile(samples, 0.99)),
  }
}
