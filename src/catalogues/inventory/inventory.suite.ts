import type { Offer, RowVerdict } from '../../core/offer/offer.ts'
import { NO_FACTS } from '../../core/offer/identity.ts'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { InventoryFile, InventoryRead } from './inventory.ts'
import { readInventory } from './inventory.ts'

export const HEAD = 'berth: v1\nkind: inventory\n'
export const SEEN_MS = Date.parse('2026-11-15T10:00:00Z')

/** Reads a whole file. */
export function read(text: string): InventoryRead {
  const yaml = readYaml(text, 'inventory.yaml')
  return 'problems' in yaml ? yaml : readInventory(yaml.document)
}

/** The inventory of a file without its head. */
export function inventoryOf(text: string): InventoryFile {
  return accepted(read(HEAD + text))
}

/** The inventory, or a failed test. */
export function accepted(result: InventoryRead): InventoryFile {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result
}

/** The only row of an inventory with one offer. */
export function rowOf(offer: string): RowVerdict {
  const [row] = inventoryOf(`offers: [{ provider: p, region: r, instance: i, ${offer} }]`).rows
  if (row === undefined) throw new Error('no row')
  return row
}

/** Problems as `CODE | line:column | found | message | hint`. */
export function problemsOf(result: InventoryRead): readonly string[] {
  if (!('problems' in result)) return []
  return result.problems.map(({ code, place, found, message, hint }) =>
    [code, `${place?.line}:${place?.column}`, found, message, hint].filter((part) => part !== undefined).join(' | '),
  )
}

/** What is known of an offer with a place, a name and a price. */
export const BARE: Offer = {
  id: 'p/r/i',
  provider: 'p',
  region: 'r',
  zone: undefined,
  instance: 'i',
  ...NO_FACTS,
  usdPerHour: 1,
}
