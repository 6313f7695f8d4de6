import type { ErrorDoc } from '../base/error-doc.ts'

/** Errors of a source of offers as a whole. Single bad rows are quarantined and are not errors. */
export const OFFER_ERRORS = {
  OFFERS_UNREADABLE: {
    title: 'offers cannot be read',
    why: 'The path is neither an inventory, nor a snapshot, nor a folder of catalogues.',
    fix: 'Point --offers at an inventory file (YAML, JSON or CSV), a snapshot made by `berth offers import`, or a folder of catalogues.',
  },
  SNAPSHOT_DAMAGED: {
    title: 'damaged snapshot',
    why: 'A snapshot contains a fingerprint of its content, which no longer matches: the file was truncated or changed.',
    fix: 'Create it again with `berth offers import --to FILE`.',
  },
} as const satisfies Record<string, ErrorDoc>
