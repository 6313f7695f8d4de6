import { must } from '../../core/base/assert.ts'
import { checkDocument } from '../../core/document/check.ts'
import type { DocEntry, DocMap, DocNode, SourceDocument } from '../../core/document/document.ts'
import { entryOf, markAt, nodeAt, placeOf } from '../../core/document/look-up.ts'
import { assignIds, NO_FACTS } from '../../core/offer/identity.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Refusal, RowVerdict } from '../../core/offer/offer.ts'
import type { Problem } from '../../core/base/problem.ts'
import { readOfferTable } from './csv.ts'
import { judgeOffer } from './offer.ts'
import type { Judged } from './offer.ts'
import { inventorySchema, offerSchema } from './schema.ts'
import type { RefusalFile } from './schema.ts'

/** An inventory file: the result for each offer, and the refusals it lists. docs/inventory.md describes the format. */
export interface InventoryFile {
  readonly rows: readonly RowVerdict[]
  readonly refusals: readonly Refusal[]
  /** When the facts were observed, where the file says so. */
  readonly observedAtMs: number | undefined
}

export type InventoryRead = InventoryFile | { readonly problems: readonly Problem[] }

/**
 * Reads an inventory written in YAML or JSON. Mistakes in the file around the offers are problems. A mistake in one
 * offer quarantines that offer and leaves the others alone.
 */
export function readInventory(document: SourceDocument): InventoryRead {
  const checked = checkDocument(inventorySchema, document)
  if ('problems' in checked) return checked
  const { observed, provider, refusals = [] } = checked.value
  const unowned = refusals.flatMap((refusal, index) => ((refusal.provider ?? provider) === undefined ? [index] : []))
  if (unowned.length > 0) return { problems: unowned.map((index) => providerMissing(document, index)) }

  const observedAtMs = observed === undefined ? undefined : Date.parse(observed)
  const nodes = itemsOf(document, 'offers').map((item) => withDefaults(item, document))
  return {
    rows: toVerdicts(
      nodes.map((node) => readRow(node, document, observedAtMs)),
      document.file,
    ),
    refusals: refusals.map((refusal) => toRefusal(refusal, provider)),
    observedAtMs,
  }
}

/** Reads an inventory written as a table, which has offers and nothing else. */
export function readInventoryCsv(text: string, file: string): InventoryRead {
  const table = readOfferTable(text, file)
  if ('problems' in table) return table
  const rows = table.offers.map((offer): Row =>
    offer.kind === 'broken'
      ? { ...unreadable(undefined, offer.why), line: offer.line }
      : readRow(offer.node, { file, lines: [], root: offer.node }, undefined),
  )
  return { rows: toVerdicts(rows, file), refusals: [], observedAtMs: undefined }
}

/** An offer before its verdict, without its id, which depends on the other offers. */
interface Row extends Judged {
  readonly line: number
  readonly accelerator: boolean
  readonly named: string
}

function readRow(node: DocNode, document: SourceDocument, observedAtMs: number | undefined): Row {
  const { line } = node.at
  const checked = checkDocument(offerSchema, { ...document, root: node })
  if ('problems' in checked) return { ...unreadable(node, noteOf(checked.problems)), line }
  const { gpu, instance } = checked.value
  return {
    ...judgeOffer(checked.value, observedAtMs),
    line,
    accelerator: gpu !== undefined,
    named: gpu?.model ?? instance,
  }
}

/** The first problem and the number of the others: a note is one line. */
function noteOf([first, ...others]: readonly Problem[]): string {
  const { found, message, hint } = must(first, 'a document that is not accepted has a problem')
  const suggestion = hint?.startsWith('Did you mean') === true ? ` ${hint}` : ''
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${found === undefined ? '' : `${found}: `}${message}${suggestion}${rest}`
}

/** An unreadable offer still appears in the report, under the name it states. */
function unreadable(node: DocNode | undefined, note: string): Omit<Row, 'line'> {
  const map = node?.kind === 'map' ? node : undefined
  const instance = textOf(map, 'instance') ?? ''
  const gpu = map === undefined ? undefined : entryOf(map, 'gpu')?.value
  const draft: OfferDraft = {
    ...NO_FACTS,
    quarantine: 'ROW_UNREADABLE',
    provider: textOf(map, 'provider') ?? '',
    region: textOf(map, 'region') ?? '',
    zone: textOf(map, 'zone'),
    instance,
  }
  const named = (gpu?.kind === 'map' ? textOf(gpu, 'model') : undefined) ?? instance
  return { draft, quarantine: 'ROW_UNREADABLE', note, accelerator: gpu !== undefined, named }
}

function textOf(map: DocMap | undefined, key: string): string | undefined {
  const value = map === undefined ? undefined : entryOf(map, key)?.value
  return value?.kind === 'scalar' && value.text !== '' ? value.text : undefined
}

/** `null` means unknown, even where the defaults have a value. */
function withDefaults(item: DocNode, document: SourceDocument): DocNode {
  if (item.kind !== 'map') return item
  const file = entryAt(document.root, 'provider')
  const provider = entryOf(item, 'provider') ?? file
  const name = provider?.value.kind === 'scalar' ? provider.value.text : ''
  const defaults = nodeAt(document, ['defaults', name])
  const added = [...(file === undefined ? [] : [file]), ...(defaults?.kind === 'map' ? defaults.entries : [])]
  const entries = [...item.entries, ...added.filter(({ key }) => entryOf(item, key) === undefined)]
  return { ...item, entries: entries.filter((entry) => !isNull(entry.value)) }
}

function entryAt(node: DocNode, key: string): DocEntry | undefined {
  return node.kind === 'map' ? entryOf(node, key) : undefined
}

function isNull(node: DocNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

function itemsOf(document: SourceDocument, key: string): readonly DocNode[] {
  const node = nodeAt(document, [key])
  return node?.kind === 'list' ? node.items : []
}

function providerMissing(document: SourceDocument, index: number): Problem {
  const message = `\`provider\` is missing in refusal ${index + 1}.`
  const place = placeOf(document, markAt(document, ['refusals', index]))
  return { code: 'KEY_MISSING', message, hint: 'For example: provider: northwind', place }
}

function toRefusal(file: RefusalFile, provider: string | undefined): Refusal {
  return {
    provider: must(file.provider ?? provider, 'a refusal without a provider is a problem'),
    region: file.region,
    instance: file.instance,
    why: file.why,
    atMs: Date.parse(file.at),
    untilMs: Date.parse(file.until),
  }
}

function toVerdicts(rows: readonly Row[], source: string): readonly RowVerdict[] {
  const ids = assignIds(rows.map((row) => row.draft))
  return rows.map(({ draft, line, accelerator, quarantine, note, named }, index) => ({
    source,
    line,
    accelerator,
    verdict: quarantine === undefined ? 'resolved' : 'quarantined',
    repairs: [],
    quarantine,
    note,
    named,
    offer: { id: must(ids[index], 'every draft gets an id'), ...draft },
  }))
}
