import type { Path } from '../../core/document/document.ts'
import type { FleetNode, CardPart, Request, Tenant } from '../../core/fleet/fleet.ts'
import { cutProfile } from '../../core/fleet/slices.ts'
import { acceptedModels } from '../../lab/simulate/trace-models.ts'
import { noSuchNode } from './nodes.ts'
import { complain, complainOfKey, type Complaints } from './problems.ts'
import type { TenantText } from './schema.ts'
import { take, takeAny, type FleetUse, type Taking } from './use.ts'

/** The result of reading what runs: tenants in the order of the file, and warnings. */
export interface ReadTenants {
  readonly tenants: readonly Tenant[]
  readonly warnings: Complaints['problems']
}

/** Reads what runs where, and reports contradictions. */
export function readTenants(
  texts: readonly TenantText[],
  nodes: readonly FleetNode[],
  complaints: Complaints,
): ReadTenants {
  const count = texts.reduce((sum, { node }) => sum + node.count, 0)
  if (count > TENANTS_MAX) {
    const message = `There are ${count} entries here, counted per node; the limit is ${TENANTS_MAX}.`
    complain(complaints, ['running'], { code: 'VALUE_RANGE', message, hint: 'Split the file.' })
    return { tenants: [], warnings: [] }
  }
  const byName = new Map(nodes.map((node, index) => [node.id, index]))
  const use: FleetUse = { nodes, complaints, warnings: [], uses: new Map() }
  const drafts = texts.flatMap((text, index) => draftsOf(text, index, { nodes, byName, complaints }))
  // Tenants that name their cards go first; the others get what is left.
  for (const draft of drafts) if (draft.taking.cards !== undefined) take(use, draft.taking)
  const tenants = drafts.map((draft) => {
    const cards = draft.taking.cards ?? takeAny(use, draft.taking)
    return tenantOf(draft, cards)
  })
  return { tenants, warnings: use.warnings }
}

const TENANTS_MAX = 200_000

interface Known {
  readonly nodes: readonly FleetNode[]
  readonly byName: ReadonlyMap<string, number>
  readonly complaints: Complaints
}

interface Draft {
  readonly text: TenantText
  readonly taking: Taking
}

function draftsOf(text: TenantText, index: number, { nodes, byName, complaints }: Known): readonly Draft[] {
  const path = ['running', index]
  if (!isShapely(text, path, complaints)) return []
  const found: Draft[] = []
  for (const id of text.node.each()) {
    const at = byName.get(id)
    if (at === undefined || nodes[at] === undefined) {
      complain(complaints, [...path, 'node'], noSuchNode(id, byName, complaints))
      // One wrong range is reported once.
      break
    }
    found.push({ text, taking: takingOf(text, { index, node: at, model: nodes[at].model }) })
  }
  return found
}

/** Whether the keys make sense together, whatever the node is. */
function isShapely(text: TenantText, path: Path, complaints: Complaints): boolean {
  const { cards, gpus, share, slice } = text
  const before = complaints.problems.length
  if (share !== undefined && slice !== undefined) {
    const message = '`share` and `slice` are both set, but a card is divided only one way.'
    complainOfKey(complaints, [...path, 'slice'], { code: 'VALUE_CONFLICT', message, hint: 'Keep one of the two.' })
  }
  for (const key of ['share', 'slice'] as const) {
    if (text[key] === undefined || cards !== undefined) continue
    const message = `\`${key}\` is a part of a card, but \`cards\` does not say which card.`
    complainOfKey(complaints, [...path, key], { code: 'KEY_NEEDS', message, hint: 'For example: cards: [0]' })
  }
  if (share === 0) {
    const message = 'This must be more than 0.'
    complain(complaints, [...path, 'share'], { code: 'VALUE_RANGE', message, hint: 'For example: share: 25%' })
  }
  if (cards !== undefined && gpus !== undefined && gpus !== cards.length) {
    const message = `\`gpus\` is ${gpus}, but \`cards\` names ${cards.length}.`
    complain(complaints, [...path, 'gpus'], { code: 'VALUE_CONFLICT', message, hint: 'Leave `gpus` out.' })
  }
  for (const [at, card] of (cards ?? []).entries()) {
    if (cards?.indexOf(card) === at) continue
    const message = `Card ${card} is already in the list.`
    complain(complaints, [...path, 'cards', at], { code: 'KEY_REPEATED', message, hint: 'Remove one of the two.' })
  }
  return complaints.problems.length === before
}

interface Where {
  readonly index: number
  readonly node: number
  readonly model: string | undefined
}

function takingOf(text: TenantText, { index, node, model }: Where): Taking {
  const { share, slice } = text
  const milli = share === undefined ? 1000 : Math.round(share * 1000)
  const taken =
    slice === undefined
      ? milli === 1000
        ? undefined
        : ({ kind: 'share', milli } as const)
      : ({ kind: 'slice', ...slice } as const)
  const cards = text.cards?.toSorted((one, two) => one - two)
  return {
    name: text.name,
    index,
    node,
    request: requestOf(text, partOf(taken, model)),
    cards: cards ?? ((text.gpus ?? 0) === 0 ? [] : undefined),
    taken,
  }
}

/** A slice asks for no more than it has: any slice with as much memory fits. */
function partOf(taken: Taking['taken'], model: string | undefined): CardPart {
  if (taken === undefined) return { kind: 'whole' }
  if (taken.kind === 'share') return taken
  return { kind: 'slice', vramGib: cutProfile(model, taken.profile)?.gib ?? 0 }
}

/** Usage is rounded up, so that nothing is placed on memory that does not exist. */
function requestOf(text: TenantText, part: CardPart): Request {
  return {
    cpuMilli: Math.round(text.cpu * 1000),
    memoryMib: Math.ceil(text.memory * 1024),
    diskMib: Math.ceil((text.disk ?? 0) * 1024),
    count: text.cards?.length ?? text.gpus ?? 0,
    part,
    models: text.models === undefined ? undefined : acceptedModels(text.models.join('|')),
  }
}

/** A tenant that does not state what a restart costs is treated as expensive to move. */
function tenantOf({ text, taking }: Draft, cards: readonly number[]): Tenant {
  return {
    name: text.name,
    request: taking.request,
    spot: { node: taking.node, cards, taken: taking.taken },
    priority: text.priority ?? 0,
    restart: text.restart ?? 'training',
    checkpointAgeS: text.checkpoint_age,
  }
}
