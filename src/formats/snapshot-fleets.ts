import { must } from '../core/base/assert.ts'
import type { FleetNode } from '../core/fleet/fleet.ts'
import type { Layout } from '../core/fleet/layout.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'

/**
 * Fleets in the header of a snapshot: what many nodes share is written once. JSON drops undefined values, which reads
 * back the same, except inside lists, where they become null and must be restored.
 */
export interface PackedFleets {
  readonly layouts: readonly PackedLayout[]
  readonly fleets: readonly PackedFleet[]
}

interface PackedLayout extends Omit<Layout, 'numa' | 'pcieSwitch'> {
  readonly numa: readonly (number | null)[]
  readonly pcieSwitch: readonly (number | null)[]
}

interface PackedFleet extends Omit<OwnedFleet, 'fleet'> {
  /** Nodes without their names; equal nodes share an entry. */
  readonly kinds: readonly PackedKind[]
  readonly nodes: readonly { readonly id: string; readonly kind: number }[]
}

interface PackedKind extends Omit<FleetNode, 'id' | 'layout'> {
  /** Index into the layouts; left out when unknown. */
  readonly layout?: number
}

export function packFleets(fleets: readonly OwnedFleet[]): PackedFleets {
  const layouts = new Map<string, { readonly index: number; readonly layout: PackedLayout }>()
  const layoutIndex = (layout: Layout): number => {
    const known = layouts.get(layout.id) ?? { index: layouts.size, layout: packLayout(layout) }
    layouts.set(layout.id, known)
    return known.index
  }
  const packed = fleets.map((fleet) => packFleet(fleet, layoutIndex))
  return { layouts: [...layouts.values()].map(({ layout }) => layout), fleets: packed }
}

export function unpackFleets({ layouts, fleets }: PackedFleets): readonly OwnedFleet[] {
  const wired = layouts.map(unpackLayout)
  return fleets.map(({ kinds, nodes, provider, region, tenants }) => {
    const known = kinds.map(({ layout, ...kind }) => ({
      ...kind,
      layout: layout === undefined ? undefined : must(wired[layout], 'a layout of the header'),
    }))
    const named = nodes.map(({ id, kind }): FleetNode => ({ ...must(known[kind], 'a kind of the header'), id }))
    return { provider, region, tenants, fleet: { nodes: named } }
  })
}

function packFleet(
  { provider, region, tenants, fleet }: OwnedFleet,
  layoutIndex: (layout: Layout) => number,
): PackedFleet {
  const kinds = new Map<string, { readonly index: number; readonly kind: PackedKind }>()
  const nodes = fleet.nodes.map(({ id, layout, ...rest }) => {
    const kind: PackedKind = layout === undefined ? rest : { ...rest, layout: layoutIndex(layout) }
    const key = JSON.stringify(kind)
    const known = kinds.get(key) ?? { index: kinds.size, kind }
    kinds.set(key, known)
    return { id, kind: known.index }
  })
  return { provider, region, tenants, kinds: [...kinds.values()].map(({ kind }) => kind), nodes }
}

function packLayout(layout: Layout): PackedLayout {
  const { numa, pcieSwitch } = layout
  return { ...layout, numa: numa.map((value) => value ?? null), pcieSwitch: pcieSwitch.map((value) => value ?? null) }
}

function unpackLayout(layout: PackedLayout): Layout {
  const { numa, pcieSwitch } = layout
  return {
    ...layout,
    numa: numa.map((value) => value ?? undefined),
    pcieSwitch: pcieSwitch.map((value) => value ?? undefined),
  }
}
