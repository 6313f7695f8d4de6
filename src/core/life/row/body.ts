import type { StoredBody, RowFormat } from './format.ts'

/** What became of a text that was stored as a body. */
export type BodyRead =
  | { readonly kind: 'read'; readonly body: StoredBody }
  /** It is not what any version wrote. */
  | { readonly kind: 'unreadable' }
  /** A later program wrote it, in a version that this one does not know. */
  | { readonly kind: 'newer'; readonly version: number }

/** The key that names the version of a body. It stands first in the text, and no body has it for anything else. */
const VERSION_KEY = 'v'

/** What the text of a body begins with where it names a version: how databases tell versions without reading bodies. */
export const VERSION_PREFIX = `{"${VERSION_KEY}":`

/** A body of the latest version, whatever version the text has. */
export function readBody(text: string, format: RowFormat): BodyRead {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isBody(parsed)) return UNREADABLE
    const { version, body } = versioned(parsed)
    if (version > format.version) return { kind: 'newer', version }
    const latest = format.upgrades.slice(version - 1).reduce((before, upgrade) => upgrade(before), body)
    // The body itself, not what the schema makes of it: keys that it does not know are kept.
    return format.schema.safeParse(latest).success ? { kind: 'read', body: latest } : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

/** The text of a body of the latest version. The first one is not named, so that rows of old are as they were. */
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
