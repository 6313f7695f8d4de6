import type { ErrorDoc } from '../base/error-doc.ts'

/** What can be wrong with a source of offers as a whole. Single bad rows are quarantined, not errors. */
export const OFFER_ERRORS = {
  OFFERS_UNREADABLE: {
    title: 'offers cannot be read',
    why: 'The path holds neither an inventory, nor a snapshot, nor a folder of catalogues.',
    fix: 'Give --offers an inventory file (YAML, JSON or CSV), a snapshot made by `berth offers import`, or a folder of catalogues.',
  },
  SNAPSHOT_DAMAGED: {
    title: 'damaged snapshot',
    why: 'A snapshot carries a fingerprint of its content, and it no longer fits: the file was cut short or changed.',
    fix: 'Make it again with `berth offers import --to FILE`.',
  },
} as const satisfies Record<string, ErrorDoc>
