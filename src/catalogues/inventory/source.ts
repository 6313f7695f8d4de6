import { sourced } from '../../core/document/look-up.ts'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { OfferSource, SourceOffers } from '../../ports/offer-source.ts'
import { inventoryJsonSchema } from './schema.ts'
import { readInventory, readInventoryCsv, type InventoryRead } from './inventory.ts'

/** Our own inventory format, as YAML, JSON or CSV. docs/inventory.md describes it. */
export const inventorySource: OfferSource = {
  name: 'inventory',
  schema: inventoryJsonSchema,
  read(path, files) {
    const bytes = files.list(path) === undefined ? files.read(path) : undefined
    if (bytes === undefined) return undefined
    if (path.endsWith('.csv')) return toCapacity(readInventoryCsv(new TextDecoder().decode(bytes), path))
    if (!/\.(ya?ml|json)$/.test(path) && path !== '-') return undefined
    const read = readYaml(bytes, path)
    if ('problems' in read) return { kind: 'problems', problems: read.problems }
    const inventory = readInventory(read.document)
    return 'problems' in inventory
      ? { kind: 'problems', problems: sourced(inventory.problems, read.document) }
      : toCapacity(inventory)
  },
}

function toCapacity(inventory: InventoryRead): SourceOffers {
  return 'problems' in inventory
    ? { kind: 'problems', problems: inventory.problems }
    : { kind: 'rows', rows: inventory.rows, refusals: inventory.refusals }
}
