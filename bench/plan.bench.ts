import { rowCount } from '../src/core/offer/snapshot.ts'
import { everyVerdict } from '../src/core/place/explain/every-verdict.suite.ts'
import { must } from '../src/core/base/assert.ts'
import { place } from '../src/core/place/place.ts'
import { report } from '../src/core/place/explain/report.ts'
import { flag, percentile, round, type Bench } from './bench.ts'
import { openOffers, questions } from './offers.ts'

const ROUNDS = 25
const WARM_UP = 3

/** How long a plan with its whole explanation takes, in process and warm. */
export const plan: Bench = {
  name: 'plan',
  about: 'plan every example with full explanation, warm (--offers PATH)',
  run(argv) {
    const snapshot = openOffers(flag(argv, 'offers', '../shared/data/catalog'))
    const asked = questions()
    const samples: number[] = []
    const verdicts: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const question of asked) {
        const startMs = performance.now()
        const decided = must(place({ capacity: snapshot, workloads: [question] })[0], 'one workload')
        const explained = report(decided)
        const plannedMs = performance.now()
        for (const ask of decided.asks) everyVerdict(ask, decided)
        if (round < WARM_UP || explained.asks.length === 0) continue
        samples.push(plannedMs - startMs)
        verdicts.push(performance.now() - startMs)
      }
    }
    return Promise.resolve({
      rows: rowCount(snapshot),
      classes: snapshot.machines.length,
      groups: snapshot.groups.machine.length,
      questions: asked.length,
      samples: samples.length,
      p50_ms: round(percentile(verdicts, 0.5)),
      p99_ms: round(percentile(verdicts, 0.99)),
      plan_and_report_p50_ms: round(percentile(samples, 0.5)),
      plan_and_report_p99_ms: round(percentile(samples, 0.99)),
      rss_mb: round(process.memoryUsage.rss() / 1e6),
    })
  },
}
