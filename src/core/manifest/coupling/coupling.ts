import { must } from '../../base/assert.ts'
import type { DocNode, Path, SourceDocument } from '../../document/document.ts'
import { placeOf } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { hintOf, messageOf } from './hint.ts'
import { readLabel } from './labels.ts'
import { plainKey, sitesIn, wordsOf } from './rule.ts'
import type { CouplingFinding, ForeignGpu, CouplingRule, KeySite } from './rule.ts'
import { RULES } from './registry.ts'
import { readScript } from './slurm.ts'

/** Something in a manifest that ties it to a provider, with the requirement that asks for the same thing without the tie. */
export interface Coupling extends Problem {
  readonly path: Path
}

/** Maps whose keys and values belong to the user and do not affect where to run. */
const PRIVATE = plainSet(
  'env envs environment environment_vars env_vars environment_variables data string_data secrets',
)

/** Maps whose keys the user invents. Inside them, only keys that are unmistakable count. */
const INVENTED = plainSet('labels annotations match_labels tags selector roles services')

/** Lists whose items describe one thing together. The items of any other list are separate things. */
const TOGETHER = plainSet(`containers init_containers devices device constraints constraint affinities tolerations
  node_selector_terms match_expressions requirements requests selectors guest_accelerator guest_accelerators volumes provider`)

/** Maps from names to separate things. */
const APART = plainSet('roles services')

/** More findings help no reader, and a hostile file must not waste time. */
const COUPLINGS_MAX = 200

const RULES_BY_KEY: ReadonlyMap<string, readonly CouplingRule[]> = byKey(RULES)

/** Every place where a document names a provider, region, zone, machine or card, in document order. */
export function findCouplings(document: SourceDocument): readonly Coupling[] {
  const findings = search(document.root, [], document).take(COUPLINGS_MAX).toArray()
  const gpus = gpusByHome(findings)
  return findings.map((finding) => {
    const gpu = isShared(finding) ? { ...gpus.get(homeOf(finding.path)), ...finding.gpu } : finding.gpu
    return worded(gpu === undefined ? finding : { ...finding, gpu }, document)
  })
}

function* search(node: DocNode, path: Path, document: SourceDocument): IteratorObject<CouplingFinding, undefined> {
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) yield* search(item, [...path, index], document)
  }
  if (node.kind === 'map') {
    for (const site of sitesIn(node, { path, document })) yield* searchSite(site)
  }
}

function* searchSite(site: KeySite): IteratorObject<CouplingFinding, undefined> {
  const inside = site.path.at(-2)
  const invented = typeof inside === 'string' && INVENTED.has(plainKey(inside))
  if (!invented && PRIVATE.has(plainKey(site.key)) && site.value.kind !== 'scalar') return
  const { findings, deep } = invented ? { findings: readLabel(site), deep: true } : ask(site)
  yield* findings
  if (findings.length === 0 || deep) yield* search(site.value, site.path, site.document)
}

/** The first rule with a finding for a key is the only one that reports it. */
function ask(site: KeySite): { readonly findings: readonly CouplingFinding[]; readonly deep: boolean } {
  for (const rule of RULES_BY_KEY.get(plainKey(site.key)) ?? []) {
    const findings = rule.read(site)
    if (findings.length > 0) return { findings, deep: rule.deep === true }
  }
  const findings = readLabel(site)
  return { findings: findings.length > 0 ? findings : readScript(site), deep: false }
}

/** What each part of a document says about its cards: a card is often named in one place and counted in another. */
function gpusByHome(findings: readonly CouplingFinding[]): ReadonlyMap<string, ForeignGpu> {
  const homes = Map.groupBy(findings.filter(isShared), (finding) => homeOf(finding.path))
  return new Map([...homes].map(([home, sharing]) => [home, agreedOn(sharing)]))
}

function isShared(finding: CouplingFinding): boolean {
  return finding.gpu !== undefined && finding.alone !== true && !isGpuField(finding.path)
}

/** The fields on which all findings that mention them agree. A finding about another card concerns another thing. */
function agreedOn(findings: readonly CouplingFinding[]): ForeignGpu {
  const requests = findings.flatMap((finding) => finding.gpu ?? [])
  const named = new Set(requests.flatMap(({ cards }) => sameness(cards) ?? []))
  const made = new Set(requests.flatMap(({ arch, vendor }) => sameness(arch ?? vendor) ?? []))
  const alike = named.size < 2 && made.size < 2 ? requests : requests.filter(isNameless)
  const fields = alike.flatMap((request) => Object.entries(request))
  const given = Map.groupBy(fields, ([name]) => name)
  const agreed = [...given.values()].filter((pairs) => new Set(pairs.map(([, value]) => sameness(value))).size === 1)
  return Object.fromEntries(agreed.map((pairs) => must(pairs[0], 'a group is never empty')))
}

function isNameless({ cards, arch, vendor }: ForeignGpu): boolean {
  return cards === undefined && arch === undefined && vendor === undefined
}

/** The part of a document that a path belongs to: one role, one container group, one item of a list. */
function homeOf(path: Path): string {
  let end = 0
  for (const [index, step] of path.entries()) {
    const before = plainKey(String(path[index - 1]))
    if (typeof step === 'number' ? !TOGETHER.has(before) : APART.has(before)) end = index + 1
  }
  return JSON.stringify(path.slice(0, end))
}

/** Cards are compared by the names in the document. */
function sameness(value: unknown): string | undefined {
  return JSON.stringify(value, (key, part: unknown) => (key === 'candidates' ? undefined : part))
}

/** Inside `gpu:` the user pastes the hint next to the other keys. */
function isGpuField(path: Path): boolean {
  return path.at(-2) === 'gpu'
}

function worded(finding: CouplingFinding, document: SourceDocument): Coupling {
  return {
    code: 'MANIFEST_COUPLED',
    message: messageOf(finding),
    hint: hintOf(finding, isGpuField(finding.path) ? 'fields' : 'map'),
    found: finding.found,
    place: placeOf(document, finding.at),
    path: finding.path,
  }
}

function byKey(rules: readonly CouplingRule[]): ReadonlyMap<string, readonly CouplingRule[]> {
  const pairs = rules.flatMap((rule) => wordsOf(rule.keys).map((key) => ({ key: plainKey(key), rule })))
  const groups = Map.groupBy(pairs, ({ key }) => key)
  return new Map([...groups].map(([key, pairs]) => [key, pairs.map(({ rule }) => rule)]))
}

function plainSet(words: string): ReadonlySet<string> {
  return new Set(wordsOf(words).map(plainKey))
}
