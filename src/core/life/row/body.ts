import type { StoredBody, RowFormat } from './format.ts'

/** The outcome of reading a stored body. */
export type BodyRead =
  | { readonly kind: 'read'; readonly body: StoredBody }
  /** No version writes such a text. */
  | { readonly kind: 'unreadable' }
  /** A later version of Berth wrote it, and this one does not know that version. */
  | { readonly kind: 'newer'; readonly version: number }

/** The key that names the version of a body. It comes first in the text, and bodies use it for nothing else. */
const VERSION_KEY = 'v'

/** How the text of a body begins if it names a version. Databases use it to tell versions without reading bodies. */
export const VERSION_PREFIX = `{"${VERSION_KEY}":`

/** The body upgraded to the latest version, whatever version the text has. */
export function readBody(text: string, format: RowFormat): BodyRead {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isBody(parsed)) return UNREADABLE
    const { version, body } = versioned(parsed)
    if (version > format.version) return { kind: 'newer', version }
    const latest = format.upgrades.slice(version - 1).reduce((before, upgrade) => upgrade(before), body)
    return format.check(latest) ? { kind: 'read', body: latest } : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

/** The text of a body of the latest version. Version 1 is not named, so that old rows keep their text. */
export function writeBody(body: unknown, { version }: Pick<RowFormat, 'version'>): string {
  const text = JSON.stringify(body)
  if (version === 1) return text
  return text === '{}' ? `${VERSION_PREFIX}${version}}` : `${VERSION_PREFIX}${version},${text.slice(1)}`
}

const UNREADABLE: BodyRead = { kind: 'unreadable' }

function isBody(value: unknown): value is StoredBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function versioned(parsed: StoredBody): { readonly version: number; readonly body: StoredBody } {
  if (!Object.hasOwn(parsed, VERSION_KEY)) return { version: 1, body: parsed }
  const { [VERSION_KEY]: version, ...body } = parsed
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) throw new Error('no version')
  return { version, body }
}
