import type { PciePath } from './rates.ts'

/** How two devices of a matrix reach each other. */
export type Relation =
  | { readonly kind: 'self' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'pcie'; readonly path: PciePath }
  | { readonly kind: 'nvlink'; readonly links: number }

/**
 * The PCIe switch of each device of a matrix, cards first; undefined: it shares none, as far as the matrix tells. If every
 * card shares its innermost switch with a device, those switches count; otherwise, the devices below one root port do.
 */
export function pcieSwitches(matrix: readonly (readonly Relation[])[], cards: number): readonly (number | undefined)[] {
  const close = joined(matrix, ['PSB', 'PIX'])
  return close.slice(0, cards).every((group) => group !== undefined) ? close : joined(matrix, ['PSB', 'PIX', 'PXB'])
}

/** Numbers groups of devices that are connected by some paths, in the order of their first device. */
function joined(matrix: readonly (readonly Relation[])[], paths: readonly PciePath[]): readonly (number | undefined)[] {
  const groups: (number | undefined)[] = matrix.map(() => undefined)
  let next = 0
  for (const first of matrix.keys()) {
    if (groups[first] !== undefined) continue
    const members = reach(matrix, paths, first)
    if (members.length < 2) continue
    for (const member of members) groups[member] = next
    next++
  }
  return groups
}

function reach(matrix: readonly (readonly Relation[])[], paths: readonly PciePath[], first: number): readonly number[] {
  const members = [first]
  for (const member of members) {
    for (const [other, relation] of (matrix[member] ?? []).entries()) {
      const isNear = relation.kind === 'pcie' && paths.includes(relation.path)
      if (isNear && !members.includes(other)) members.push(other)
    }
  }
  return members
}
