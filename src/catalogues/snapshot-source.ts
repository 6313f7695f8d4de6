import { decodeSnapshot, isSnapshot } from '../formats/snapshot-file.ts'
import type { OfferSource } from '../ports/offer-source.ts'

/** A snapshot that `berth offers import` wrote. */
export const snapshotSource: OfferSource = {
  name: 'snapshot',
  read(path, files) {
    const bytes = files.list(path) === undefined ? files.read(path) : undefined
    if (bytes === undefined || !isSnapshot(bytes)) return undefined
    const snapshot = decodeSnapshot(bytes)
    if (snapshot !== undefined) return { kind: 'snapshot', snapshot }
    const hint = 'Create it again with `berth offers import`.'
    const message = `The snapshot ${path} is damaged: it was truncated or changed.`
    return { kind: 'problems', problems: [{ code: 'SNAPSHOT_DAMAGED', message, found: path, hint }] }
  },
}
