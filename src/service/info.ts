import type { Parsed } from '../api/call.ts'
import type { Info } from '../ports/berth.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import { LATE, within } from '../ports/deadline.ts'
import type { ServiceDeps } from './deps.ts'
import { toPlan } from './workload/planned.ts'

export function infoOf({ info, clock }: ServiceDeps): Info {
  return { ...info(), now_ms: clock.nowMs() }
}

/** Plans a manifest with what the providers offer now. Changes nothing. */
export async function planManifest(deps: ServiceDeps, request: Parsed<'plan'>): Promise<PlanReport> {
  const { project, before = [], spot } = request
  const asked = [...before, request].map(async (one) => {
    const { text, file } = one
    const { manifest } = await deps.parse(text, file)
    const keepReplicas = one === request && request.keep_replicas
    return toPlan(deps, manifest, { project, text, file, spot, keepReplicas })
  })
  return deps.decide(project, await Promise.all(asked))
}

/**
 * Why this process cannot serve; undefined: it can. It cannot when its store does not answer in time or cannot be
 * written, or when there is no leader.
 */
export async function whyNotReady(
  { store, info, timers, whyNot }: ServiceDeps,
  deadlineMs: number,
): Promise<string | undefined> {
  const asked = store.head().then(
    () => 'answers' as const,
    () => 'fails' as const,
  )
  const answer = await within({ timers, ms: deadlineMs }, asked)
  if (answer === LATE) return `the store has not answered for ${deadlineMs} ms`
  if (answer === 'fails') return 'the store cannot be read'
  return whyNot() ?? (info().term === 0 ? 'starting: there is no leader yet' : undefined)
}
