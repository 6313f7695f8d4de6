import type { DocEntry, DocNode, Mark, SourceDocument } from '../document/document.ts'
import type { Problem } from '../base/problem.ts'

/**
 * Leaves out problems that a stronger check reports better: those at or inside a key or value that a claim is about,
 * and unknown keys that contain nothing but claims. Missing keys and misspelt keys are still reported.
 */
export function unclaimed(
  problems: readonly Problem[],
  claims: readonly Problem[],
  document: SourceDocument,
): readonly Problem[] {
  const spots: Spots = { claims: new Set(claims.map(spotOf)), inside: new Set(), whole: new Set() }
  collect(document.root, 'free', spots)
  return problems.filter((problem) => {
    const isKey = problem.code === 'KEY_UNKNOWN' || problem.code === 'KEY_MISPLACED'
    const isMisspelt = problem.hint?.startsWith('Did you mean') === true
    if (isKey && !isMisspelt && spots.whole.has(spotOf(problem))) return false
    return problem.code === 'KEY_MISSING' || !spots.inside.has(spotOf(problem))
  })
}

/** Leaves out problems at the same place as a stronger one. */
export function unspoken(problems: readonly Problem[], stronger: readonly Problem[]): readonly Problem[] {
  const spots = new Set(stronger.filter(({ code }) => code !== 'KEY_MISSING').map(spotOf))
  return problems.filter((problem) => problem.code === 'KEY_MISSING' || !spots.has(spotOf(problem)))
}

interface Spots {
  readonly claims: ReadonlySet<string>
  /** The start of everything that belongs to a claimed key or value. */
  readonly inside: Set<string>
  /** Keys that contain claims and nothing else. */
  readonly whole: Set<string>
}

/** Whether a claim around a node covers the node too. */
type Cover = 'claimed' | 'free'

/** Returns whether everything in the node is claimed. */
function collect(node: DocNode, cover: Cover, spots: Spots): boolean {
  const isClaim = isClaimedValue(node, spots) || cover === 'claimed'
  if (isClaim) spots.inside.add(markText(node.at))
  const inner = isClaim ? 'claimed' : 'free'
  switch (node.kind) {
    case 'scalar':
      return isClaim
    case 'list':
      return all(node.items.map((item) => collect(item, inner, spots))) || isClaim
    case 'map':
      return all(node.entries.map((entry) => collectEntry(entry, inner, spots))) || isClaim
  }
}

function collectEntry({ keyAt, value }: DocEntry, cover: Cover, spots: Spots): boolean {
  const isClaim = spots.claims.has(markText(keyAt)) || cover === 'claimed'
  if (isClaim) spots.inside.add(markText(keyAt))
  const isWhole = collect(value, isClaim ? 'claimed' : 'free', spots)
  if (isWhole) spots.whole.add(markText(keyAt))
  return isWhole
}

function all(parts: readonly boolean[]): boolean {
  return parts.length > 0 && parts.every(Boolean)
}

/** A map without braces starts at its first key; a claim there belongs to the key. */
function isClaimedValue(node: DocNode, { claims }: Spots): boolean {
  const isFirstKey =
    node.kind === 'map' && node.entries[0] !== undefined && markText(node.entries[0].keyAt) === markText(node.at)
  return !isFirstKey && claims.has(markText(node.at))
}

function spotOf({ place }: Problem): string {
  return place === undefined ? '' : markText(place)
}

function markText({ line, column }: Pick<Mark, 'line' | 'column'>): string {
  return `${line}:${column}`
}
