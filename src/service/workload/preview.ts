import { viewOf, type SummaryInput } from '../../core/life/view/summary.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import { differenceOf, type FieldChange } from '../../core/manifest/difference.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import type { Parsed } from '../../api/call.ts'
import { told } from '../../api/problem.ts'
import type { Preview } from '../../ports/berth.ts'
import type { ServiceDeps } from '../deps.ts'
import { fatesOf, NOTHING_KNOWN } from './fates.ts'
import { knownOf } from './known.ts'
import { created, keptReplicas, merged, type KeptReplicas } from './merge.ts'
import { hasFailed } from './workloads.ts'

/** What applying a manifest would change. Changes nothing itself. */
export async function previewManifest(deps: ServiceDeps, ask: Parsed<'preview'>): Promise<Preview> {
  const { manifest, warnings } = await deps.parse(ask.text, ask.file)
  const preview = await previewOf(deps, manifest, ask)
  return warnings.length === 0 ? preview : { ...preview, warnings: warnings.map(told) }
}

async function previewOf(deps: ServiceDeps, manifest: Manifest, ask: Parsed<'preview'>): Promise<Preview> {
  const { project, text, file, template, keep_replicas: keepReplicas } = ask
  const nowMs = deps.clock.nowMs()
  const request = { project, text, file, pinned: undefined, keepReplicas, ...(template && { template }) }
  const row = await deps.store.get('workload', workloadKey({ project, name: manifest.name }))
  if (row === undefined || row.body.want === 'removed') {
    const workload = created(manifest, request, { uid: '', nowMs })
    return { outcome: 'create', state: undefined, changes: [], replicas: await counted(deps, workload, NOTHING_KNOWN) }
  }
  const before = row.body
  const known = await knownOf(deps.store, before)
  const next = merged(before, manifest, { ...request, nowMs })
  const { state } = viewOf(before, known)
  if (next.generation === before.generation) {
    if (waitsForPrice(before, known))
      return { outcome: 'again', state, changes: [], replicas: await counted(deps, next, known), waits_for_price: true }
    if (hasFailed(before, known))
      return { outcome: 'again', state, changes: [], replicas: await counted(deps, next, known) }
    return { outcome: 'unchanged', state, changes: [], replicas: { ...(await counted(deps, next, known)), added: 0 } }
  }
  const kept = keepReplicas === true ? keptReplicas(before, manifest).map(shownKept) : []
  return {
    outcome: 'change',
    state,
    changes: changesOf(deps, before, next),
    replicas: await counted(deps, next, known),
    ...(kept.length > 0 && { kept_replicas: kept }),
  }
}

function shownKept({ role, replicas, stated }: KeptReplicas): NonNullable<Preview['kept_replicas']>[number] {
  return { ...(role !== '' && { role }), replicas, stated }
}

/** How many replicas are replaced, kept, added and removed. */
async function counted(deps: ServiceDeps, next: Workload, known: SummaryInput): Promise<Preview['replicas']> {
  const { replaced, kept, added, removed } = await fatesOf(deps, next, known.placements)
  return { replaced: replaced.length, kept: kept.length, added: added.length, removed }
}

/** Whether replicas wait until the user agrees to a higher price. */
function waitsForPrice({ uid, generation }: Workload, { status }: SummaryInput): boolean {
  return status?.uid === uid && status.generation === generation && status.waiting?.code === 'PRICE_NOT_AGREED'
}

/** The changed fields of the manifest, and changes that were not made in a manifest. */
function changesOf({ read }: ServiceDeps, before: Workload, next: Workload): readonly FieldChange[] {
  const want = before.want === next.want ? [] : [{ field: 'wanted', from: before.want, to: next.want }]
  const [was, is] = [templateText(before), templateText(next)]
  const template = was === is ? [] : [{ field: 'template', from: was, to: is }]
  const scaled = [...new Set([...Object.keys(before.scale), ...Object.keys(next.scale)])]
  const scale = scaled.flatMap((role) => {
    const [from, to] = [before.scale[role], next.scale[role]]
    const field = role === '' ? 'replicas set by hand' : `roles.${role}.replicas set by hand`
    return from === to ? [] : [{ field, from: from?.toString(), to: to?.toString() }]
  })
  const fields = differenceOf(read(before.text, 'before').root, read(next.text, 'after').root)
  return [...want, ...template, ...fields, ...scale]
}

function templateText({ template }: Workload): string | undefined {
  return template === undefined ? undefined : `${template.name}@${template.version}`
}
