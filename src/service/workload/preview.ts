import { isIdentityOf } from '../../core/life/identity.ts'
import { keptInPlace } from '../../core/life/in-place.ts'
import { isBilled, type Placement } from '../../core/life/placement.ts'
import { groupOf, slotsWanted, type DesiredSlot } from '../../core/life/slots.ts'
import { viewOf, type SummaryInput } from '../../core/life/view/summary.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import { differenceOf, type FieldChange } from '../../core/manifest/difference.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import type { Preview, PreviewRequest } from '../../ports/berth.ts'
import type { ServiceDeps } from '../deps.ts'
import { unbound } from './unbound.ts'
import { knownOf } from './views.ts'
import { created, merged } from './merge.ts'
import { hasFailed } from './workloads.ts'

/** What applying a manifest would change. Changes nothing itself. */
export async function previewManifest(deps: ServiceDeps, ask: PreviewRequest): Promise<Preview> {
  const { manifest, warnings } = await deps.parse(ask.text, ask.file)
  const preview = await previewOf(deps, manifest, ask)
  return warnings.length === 0 ? preview : { ...preview, warnings }
}

async function previewOf(deps: ServiceDeps, manifest: Manifest, ask: PreviewRequest): Promise<Preview> {
  const { project, text, file, template } = ask
  const nowMs = deps.clock.nowMs()
  const request = { project, text, file, pinned: undefined, ...(template && { template }) }
  const row = await deps.store.get('workload', workloadKey({ project, name: manifest.name }))
  if (row === undefined || row.body.want === 'removed') {
    const workload = created(manifest, request, { uid: '', nowMs })
    return { outcome: 'create', state: undefined, changes: [], replicas: await fates(deps, workload, NOTHING_KNOWN) }
  }
  const before = row.body
  const known = await knownOf(deps.store, before)
  const next = merged(before, manifest, { ...request, nowMs })
  const { state } = viewOf(before, known)
  if (next.generation === before.generation) {
    if (hasFailed(before, known))
      return { outcome: 'again', state, changes: [], replicas: await fates(deps, next, known) }
    return { outcome: 'unchanged', state, changes: [], replicas: { ...(await fates(deps, next, known)), added: 0 } }
  }
  return {
    outcome: 'change',
    state,
    changes: changesOf(deps, before, next),
    replicas: await fates(deps, next, known),
  }
}

const NOTHING_KNOWN: SummaryInput = { status: undefined, placements: [] }

/** The changed fields of the manifest, and changes that were not made in a manifest. */
function changesOf({ read }: ServiceDeps, before: Workload, next: Workload): readonly FieldChange[] {
  const want = before.want === next.want ? [] : [{ field: 'wanted', from: before.want, to: next.want }]
  const [was, is] = [templateText(before), templateText(next)]
  const template = was === is ? [] : [{ field: 'template', from: was, to: is }]
  const scale = Object.entries(before.scale).map(([role, count]) => {
    return {
      field: role === '' ? 'replicas set by hand' : `roles.${role}.replicas set by hand`,
      from: `${count}`,
      to: undefined,
    }
  })
  const fields = differenceOf(read(before.text, 'before').root, read(next.text, 'after').root)
  return [...want, ...template, ...fields, ...scale]
}

function templateText({ template }: Workload): string | undefined {
  return template === undefined ? undefined : `${template.name}@${template.version}`
}

/** How many replicas are replaced, kept, added and removed. */
async function fates(deps: ServiceDeps, next: Workload, known: SummaryInput): Promise<Preview['replicas']> {
  const live = known.placements.filter(
    (one) => isBilled(one) && one.phase !== 'stopping' && one.order.tag.uid === next.uid,
  )
  const there = Map.groupBy(live, ({ order }) => groupOf(order.tag.slot))
  const wanted = Map.groupBy(slotsWanted(next), ({ group }) => group)
  const present = [...wanted].filter(([group]) => there.has(group))
  const changed = present.filter(([group, [desired]]) =>
    there.get(group)?.some(({ shape }) => !isIdentityOf(shape, next.manifest, desired?.role)),
  )
  const replaced =
    changed.length - (await keptAmong(deps, next, { live, groups: changed.map(([, desiredSlots]) => desiredSlots) }))
  const removed = [...there.keys()].filter((group) => !wanted.has(group)).length
  return { replaced, kept: present.length - replaced, added: wanted.size - present.length, removed }
}

interface Changing {
  readonly live: readonly Placement[]
  readonly groups: readonly (readonly DesiredSlot[])[]
}

/** How many groups already meet the changed manifest, so that the leader keeps them. If that is unknown, none count as kept. */
async function keptAmong(deps: ServiceDeps, next: Workload, { live, groups }: Changing): Promise<number> {
  const asked = groups.length === 0 ? undefined : await unbound(deps, next, live).catch(() => undefined)
  if (asked === undefined) return 0
  return groups.filter((desiredSlots) => keptInPlace(asked.kept, desiredSlots, asked.bindInput) !== undefined).length
}
