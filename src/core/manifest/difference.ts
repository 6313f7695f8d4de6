import type { DocNode } from '../document/document.ts'

/** One field that differs between two manifests, with the values as written. */
export interface FieldChange {
  /** Keys joined by dots: `resources.gpu.min_vram`. */
  readonly field: string
  /** Undefined when the field is new. */
  readonly from?: string | undefined
  /** Undefined when the field was removed. */
  readonly to?: string | undefined
}

/** The most fields listed, and the most characters shown of each value. */
const FIELDS_MAX = 200
const VALUE_MAX = 200

/** The fields in which a second text differs from a first one, in the order of the second. Removed fields come last. */
export function differenceOf(before: DocNode, after: DocNode): readonly FieldChange[] {
  const from = fieldsOf(before)
  const to = fieldsOf(after)
  const names = [...to.keys(), ...[...from.keys()].filter((name) => !to.has(name))]
  return names
    .filter((name) => from.get(name) !== to.get(name))
    .slice(0, FIELDS_MAX)
    .map((field) => ({ field, from: cut(from.get(field)), to: cut(to.get(field)) }))
}

function fieldsOf(root: DocNode): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const visit = (node: DocNode, path: string): void => {
    const inside = insideOf(node)
    if (inside === undefined) fields.set(path, textOf(node))
    else for (const [name, value] of inside) visit(value, path === '' ? name : `${path}.${name}`)
  }
  visit(root, '')
  return fields
}

/** The parts to compare one by one. Undefined when the node is compared as a whole, such as a list of words. */
function insideOf(node: DocNode): readonly (readonly [string, DocNode])[] | undefined {
  if (node.kind === 'scalar') return undefined
  if (node.kind === 'map') {
    return node.entries.length === 0 ? undefined : node.entries.map(({ key, value }) => [key, value] as const)
  }
  if (node.items.every(({ kind }) => kind === 'scalar')) return undefined
  return node.items.map((item, at) => [nameOf(item) ?? String(at), item] as const)
}

/** Ports and volumes are identified by their name, not by their position in the list. */
function nameOf(item: DocNode): string | undefined {
  if (item.kind !== 'map') return undefined
  const named = item.entries.find(({ key }) => key === 'name' || key === 'mount')?.value
  return named?.kind === 'scalar' ? named.text : undefined
}

function textOf(node: DocNode): string {
  if (node.kind === 'scalar') return node.text
  return node.kind === 'map' ? '{}' : `[${node.items.map(textOf).join(', ')}]`
}

function cut(text: string | undefined): string | undefined {
  return text === undefined || text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX - 1)}…`
}
