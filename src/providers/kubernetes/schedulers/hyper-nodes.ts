import { listAt, textAt, textsAt } from '../nodes/object/json.ts'

/**
 * The highest tier of Volcano's HyperNodes at which all nodes of each HyperNode share one value of a label; undefined: at none.
 * The scheduler counts in tiers and knows nothing of racks: a tier is a rack only if every HyperNode up to it lies within one.
 */
export function tierWithin(
  label: string,
  hyperNodes: readonly unknown[],
  nodes: readonly unknown[],
): number | undefined {
  const all = new Map(nodes.flatMap((node) => namedNode(node, label)))
  const byName = new Map(hyperNodes.map((each) => [textAt(each, 'metadata', 'name') ?? '', each]))
  const tiers = [...byName].flatMap(([name, each]): readonly Tier[] => {
    const tier = Number(textAt(each, 'spec', 'tier'))
    if (!Number.isInteger(tier)) return []
    const values = [...membersOf(name, byName, { nodes: all, seen: new Set() })].map((node) => all.get(node)?.value)
    return [
      { tier, isWithin: values.length > 0 && values.every((value) => value !== undefined && value === values[0]) },
    ]
  })
  const wide = tiers.filter(({ isWithin }) => !isWithin).map(({ tier }) => tier)
  const fine = tiers.map(({ tier }) => tier).filter((tier) => wide.every((each) => tier < each))
  return fine.length === 0 ? undefined : Math.max(...fine)
}

interface Tier {
  readonly tier: number
  readonly isWithin: boolean
}

interface LabelledNode {
  readonly labels: ReadonlyMap<string, string>
  readonly value: string | undefined
}

function namedNode(node: unknown, label: string): readonly [string, LabelledNode][] {
  const name = textAt(node, 'metadata', 'name')
  const labels = textsAt(node, 'metadata', 'labels')
  return name === undefined ? [] : [[name, { labels, value: labels.get(label) }]]
}

interface Membership {
  readonly nodes: ReadonlyMap<string, LabelledNode>
  /** HyperNodes that were looked into: they may name each other. */
  readonly seen: Set<string>
}

/** The nodes below a HyperNode. */
function membersOf(name: string, byName: ReadonlyMap<string, unknown>, at: Membership): ReadonlySet<string> {
  if (at.seen.has(name)) return new Set()
  at.seen.add(name)
  const found = new Set<string>()
  for (const member of listAt(byName.get(name), 'spec', 'members')) {
    const isNode = textAt(member, 'type') !== 'HyperNode'
    const names = isNode ? [...at.nodes.keys()] : [...byName.keys()]
    for (const each of names.filter((one) => isChosen(member, one, at.nodes.get(one)?.labels))) {
      for (const node of isNode ? [each] : membersOf(each, byName, at)) found.add(node)
    }
  }
  return found
}

function isChosen(member: unknown, name: string, labels: ReadonlyMap<string, string> | undefined): boolean {
  const exact = textAt(member, 'selector', 'exactMatch', 'name')
  if (exact !== undefined) return exact === name
  const pattern = textAt(member, 'selector', 'regexMatch', 'pattern')
  if (pattern !== undefined) return fits(pattern, name)
  const wanted = textsAt(member, 'selector', 'labelMatch', 'matchLabels')
  return wanted.size > 0 && [...wanted].every(([key, value]) => labels?.get(key) === value)
}

/** A pattern that cannot be read chooses nothing. */
function fits(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name)
  } catch {
    return false
  }
}
