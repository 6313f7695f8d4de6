import type { Manifest } from '../manifest/manifest.ts'
import type { PlanReport } from '../place/explain/report.ts'
import { whyUnplaced } from './bind/has-place.ts'
import type { BindInput } from './bind/chosen.ts'
import type { ToPlace } from './bind/question.ts'
import { hasSuccessors, livingOf } from './seats.ts'

/** Which of these groups would stop before what follows them starts, and why; undefined: none. */
export function stopsFirst({ record, groups }: ToPlace, bindInput: BindInput): PlanReport['stops_first'] {
  const moving = groups.filter((slots) => slots.some(({ slot }) => livingOf(record, slot).length > 0))
  const [first] = moving
  if (first === undefined) return undefined
  // One moves at a time, so one machine more is enough for all of them.
  const why = whyAlone(record.workload.manifest) ?? whyUnplaced(record, [first], bindInput)
  return why === undefined ? undefined : { slots: moving.flatMap(([one]) => one?.group ?? []), why }
}

/** Why there is never a second attempt beside the first. */
function whyAlone(manifest: Manifest): string | undefined {
  if (hasSuccessors(manifest)) return undefined
  if (manifest.kind === 'job') return 'two at a time could do the same work'
  return manifest.nodes > 1 ? 'a gang has one attempt at a time' : 'two at a time could write to the same storage'
}
