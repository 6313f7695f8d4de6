import type { ToPlace } from '../../core/life/bind/question.ts'
import { groupsWanted } from '../../core/life/slots.ts'
import { workloadKey } from '../../core/life/workload.ts'
import type { Manifest, SpotUse } from '../../core/manifest/manifest.ts'
import type { ServiceDeps } from '../deps.ts'
import { fatesOf, NOTHING_KNOWN, recordWith } from './fates.ts'
import { created, merged } from './merge.ts'
import { knownOf } from './known.ts'

interface PlanAsk {
  readonly project: string
  readonly text: string
  readonly file: string
  /** Overrides what the manifest says. */
  readonly spot?: SpotUse | undefined
  /** There stay as many replicas as there are now. */
  readonly keepReplicas?: boolean | undefined
}

/**
 * What applying a manifest now would give the leader to place: the replicas that are new or replaced, beside those that stay.
 * If nothing would need a place, all of them are planned as if they had none.
 */
export async function toPlan(deps: ServiceDeps, manifest: Manifest, ask: PlanAsk): Promise<ToPlace> {
  const { project, text, file, spot, keepReplicas } = ask
  const nowMs = deps.clock.nowMs()
  const request = { project, text, file, pinned: undefined, keepReplicas }
  const wanted: Manifest = { ...manifest, ...(spot && { spot }) }
  const row = await deps.store.get('workload', workloadKey({ project, name: manifest.name }))
  if (row === undefined || row.body.want === 'removed') {
    const workload = created(wanted, request, { uid: '', nowMs })
    return { record: recordWith(workload, NOTHING_KNOWN), groups: [...groupsWanted(workload).values()] }
  }
  const known = await knownOf(deps.store, row.body)
  const next = merged(row.body, manifest, { ...request, nowMs })
  // The user is about to see a price, and agrees to that one.
  const workload = { ...next, ...(spot && { manifest: wanted }), agreed: undefined }
  const { replaced, added } = await fatesOf(deps, workload, known.placements)
  const groups = [...groupsWanted(workload).values()]
  const needy = new Set([...replaced, ...added])
  return {
    record: recordWith(workload, known),
    groups: needy.size === 0 ? groups : groups.filter((one) => needy.has(one)),
  }
}
