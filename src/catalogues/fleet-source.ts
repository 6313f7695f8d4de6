import { readFleetFile } from '../formats/fleet-file/fleet-file.ts'
import { isNodeList } from '../formats/fleet-file/openb.ts'
import { fleetJsonSchema } from '../formats/fleet-file/schema.ts'
import type { OfferSource } from '../ports/offer-source.ts'

/** The user's own machines, in a fleet file or an openb node list. docs/fleet.md describes the formats. */
export const fleetSource: OfferSource = {
  name: 'fleet',
  schema: fleetJsonSchema,
  read(path, files) {
    const bytes = files.list(path) === undefined ? files.read(path) : undefined
    if (bytes === undefined || !isFleet(bytes, path)) return undefined
    const read = readFleetFile(bytes, path === '-' ? 'stdin' : path)
    if ('problems' in read) return { kind: 'problems', problems: read.problems }
    const { fleet, tenants, hosts = [] } = read
    return { kind: 'fleet', fleet: { region: nameOf(path), fleet, tenants }, hosts }
  },
}

/** A quick look at the text; the matching source reads it properly. */
function isFleet(bytes: Uint8Array, path: string): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, LOOKED_AT))
  if (path.endsWith('.csv')) return isNodeList(text)
  return (/\.(ya?ml|json)$/.test(path) || path === '-') && /(?:^|[{,])[ \t]*["']?kind["']? *: *["']?fleet\b/m.test(text)
}

/** Larger YAML is refused by its reader anyway. */
const LOOKED_AT = 256 * 1024

/** `hamburg` of `clusters/hamburg.yaml`. */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/i, '')
  return name === '-' || name === '' ? 'stdin' : name
}
