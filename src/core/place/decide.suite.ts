import { must } from '../base/assert.ts'
import type { Snapshot } from '../offer/snapshot.ts'
import { place } from './place.ts'
import type { DecisionInput, Plan } from './plan.ts'

/** The plan for one workload, without limits. */
export function decide(snapshot: Snapshot, input: DecisionInput): Plan {
  return must(place({ capacity: snapshot, workloads: [input] })[0], 'one plan a workload')
}
