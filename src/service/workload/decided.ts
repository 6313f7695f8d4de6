import { emptyGroups } from '../../core/life/reconcile.ts'
import type { SummaryInput } from '../../core/life/view/summary.ts'
import type { Workload } from '../../core/life/workload.ts'
import type { PlanReport } from '../../core/place/explain/report.ts'
import { UserError } from '../../core/base/problem.ts'
import type { ServiceDeps } from '../deps.ts'
import { recordWith } from './fates.ts'

export interface Decided {
  readonly report?: PlanReport
  /** Why nothing can be decided. */
  readonly problem?: string
}

/** The plan for the replicas of an accepted workload that have no place, or the reason why there is none, such as a missing policy. */
export async function decided({ decide }: ServiceDeps, workload: Workload, known: SummaryInput): Promise<Decided> {
  const { manifest, project } = workload
  const record = recordWith(workload, known)
  try {
    return { report: await decide(project, [{ record, groups: emptyGroups(record, undefined) }]) }
  } catch (error) {
    const [first] = error instanceof UserError ? error.problems : []
    if (first === undefined) throw error
    // What a project may not use is reported in the notes, with what already runs there.
    if (first.code === 'POLICY_NOT_FOR_PROJECT') return {}
    const isGone = first.code === 'POLICY_UNKNOWN'
    const how = isGone ? POLICY_HINT : (first.hint ?? '')
    const what = isGone ? `Its policy ${manifest.policy ?? ''} no longer exists.` : first.message
    return { problem: `${what} ${how}`.trim() }
  }
}

const POLICY_HINT =
  'What runs keeps running, but nothing new is placed. Start berth with the config that defines it, set it with berth policy set, or apply the workload with another policy.'
