import type { GpuModel, Slice } from '../../hardware/gpu.ts'
import { printable } from '../../document/look-up.ts'
import type { DocEntry, DocMap, DocNode, DocScalar, Mark, Path, SourceDocument } from '../../document/document.ts'

/** One key of a document and its value, which a rule looks at. */
export interface KeySite {
  readonly key: string
  readonly keyAt: Mark
  readonly value: DocNode
  readonly path: Path
  /** The map that contains the key. */
  readonly parent: DocMap
  /** The whole document, for facts that are elsewhere, such as where a volume is mounted. */
  readonly document: SourceDocument
}

/** Translates some keys of another tool into Berth's words. */
export interface CouplingRule {
  /** The keys that it knows, separated by spaces. Case, `_` and `-` do not matter. */
  readonly keys: string
  /** Set when the contents must be checked too, although the key itself has a finding. */
  readonly deep?: true
  /** Empty when this value is not coupled. */
  read(site: KeySite): readonly CouplingFinding[]
}

/** A coupled text and what it says, not yet worded. */
export interface CouplingFinding extends Said {
  readonly at: Mark
  readonly path: Path
  /** The offending text, as written. */
  readonly found: string
}

/** What a text does, and what asks for the same thing without naming a provider. */
export interface Said {
  /** Completes the sentence "This ...": `names one provider's machine`. */
  readonly does: string
  /** Completes the sentence "It ...": `is 8 × A100 SXM 40 GB with NVSwitch`. */
  readonly facts?: string
  /** Introduces the requirement; when left out, the kind of requirement determines it. */
  readonly lead?: string
  readonly gpu?: ForeignGpu
  /** Set when `gpu` is complete: it is not merged with what the document says about cards elsewhere. */
  readonly alone?: true
  /** Lines of a manifest, ready to paste: `cpu: 16`. */
  readonly lines?: readonly string[]
  readonly policy?: ForeignPolicy
  /** What to do when there is nothing to write instead. */
  readonly advice?: string
}

/** What the text asks of the cards. */
export interface ForeignGpu {
  readonly count?: number
  /** The named cards; when there are several, any of them fits. */
  readonly cards?: readonly Card[]
  readonly minVramGib?: number
  /** As a driver reports it. */
  readonly minUsableMib?: number
  readonly vendor?: string
  readonly arch?: readonly string[]
  readonly minCapability?: string
  readonly minDriver?: string
  readonly minCuda?: string
  readonly interconnect?: 'nvlink'
  readonly sharing?: 'mig' | 'any'
  /** Other keys under `gpu` with their values, ready to paste. */
  readonly more?: Readonly<Record<string, string>>
}

/** A card as the document names it. */
export interface Card {
  readonly text: string
  /** The models that the name may mean: none when it is unknown, several when it is ambiguous. */
  readonly candidates: readonly GpuModel[]
  readonly slice: Slice | undefined
  /** The name itself says that the cards are bridged. */
  readonly linked: boolean
}

/** What a policy in the infrastructure file must contain. An empty residency means that the areas are not known. */
export interface ForeignPolicy {
  readonly allow?: readonly string[]
  readonly residency?: readonly string[]
  readonly spot?: 'never' | 'allowed' | 'only'
  readonly maxUsdPerHour?: number
  readonly trust?: readonly string[]
}

/** No name in any vocabulary is longer; anything longer is plain text. */
const TEXT_MAX = 1000

/** No real list of alternatives or map of settings is longer; looking further would waste time. */
const ITEMS_MAX = 256

/** For another tool's word for something that a manifest can express. */
export const IN_A_MANIFEST = 'in a manifest, write'

/** A finding about a foreign key. */
export function atKey(site: KeySite, said: Said): CouplingFinding {
  const found = site.value.kind === 'scalar' ? `${site.key}: ${site.value.text}` : site.key
  return { ...said, at: site.keyAt, path: site.path, found: printable(found) }
}

/** A finding about a foreign value of one of Berth's keys. */
export function atValue(site: KeySite, said: Said): CouplingFinding {
  const found = site.value.kind === 'scalar' ? site.value.text : site.key
  return { ...said, at: site.value.at, path: site.path, found: printable(found) }
}

/** A key of a map inside the value of a site, as a site itself. */
function siteOf(entry: DocEntry, inside: DocMap, situation: Pick<KeySite, 'path' | 'document'>): KeySite {
  const { key, keyAt, value } = entry
  return { key, keyAt, value, path: [...situation.path, key], parent: inside, document: situation.document }
}

/** The keys of a map, each as a site; none when the value is not a map. */
export function sitesIn(node: DocNode | undefined, situation: Pick<KeySite, 'path' | 'document'>): readonly KeySite[] {
  return node?.kind === 'map' ? node.entries.map((entry) => siteOf(entry, node, situation)) : []
}

/** The items of a list with their paths. A single value counts as a list of one, as in many tools. */
export function itemsIn(site: KeySite): readonly { readonly node: DocNode; readonly path: Path }[] {
  if (site.value.kind !== 'list') return [{ node: site.value, path: site.path }]
  return site.value.items.slice(0, ITEMS_MAX).map((node, index) => ({ node, path: [...site.path, index] }))
}

/** The texts of a scalar or of a list of scalars; empty ones and other values are left out. */
export function textsIn(node: DocNode | undefined): readonly string[] {
  if (node === undefined) return []
  const nodes = node.kind === 'list' ? node.items.slice(0, ITEMS_MAX) : [node]
  return nodes.filter(isText).map((scalar) => scalar.text.trim())
}

/** The text of a non-empty scalar. */
export function textOf(node: DocNode | undefined): string | undefined {
  return node !== undefined && isText(node) ? node.text.trim() : undefined
}

/** A number, even if it was written as text; undefined for anything else. */
export function numberOf(node: DocNode | undefined): number | undefined {
  const text = textOf(node)
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** The value under one of these names in a map, whatever their case. */
export function valueIn(node: DocNode | undefined, names: string): DocNode | undefined {
  if (node?.kind !== 'map') return undefined
  const wanted = wordsOf(names).map(plainKey)
  return node.entries.slice(0, ITEMS_MAX).find((entry) => wanted.includes(plainKey(entry.key)))?.value
}

/** `instanceType`, `instance_type` and `Instance-Type` are one key. */
export function plainKey(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase()
}

/** The words in a table cell. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** A user's text as it can be pasted into YAML: short, printable, and quoted where it must be. */
export function asScalar(text: string): string {
  return /^[\w./][\w./:@-]{0,58}$/.test(text) ? text : JSON.stringify(printable(text))
}

/** Each value once, in the order of first appearance. */
export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}

function isText(node: DocNode): node is DocScalar {
  return node.kind === 'scalar' && node.value !== null && node.text.trim() !== '' && node.text.length <= TEXT_MAX
}
