import type { Files } from '../ports/files.ts'
import type { OfferSource } from '../ports/offer-source.ts'
import { importSkypilot, type CatalogFile } from './skypilot/skypilot.ts'

/** Catalogues in the SkyPilot format: a folder of `<cloud>/vms.csv`, one such folder, or one file. */
export const catalogueSource: OfferSource = {
  name: 'catalogue',
  read(path, files) {
    const found = catalogues(path, files)
    if (found.length === 0) return undefined
    return { kind: 'rows', rows: importSkypilot(found).rows, refusals: [] }
  },
}

const FILE = 'vms.csv'

function catalogues(path: string, files: Files): readonly CatalogFile[] {
  const folder = path.replace(/\/+$/, '')
  const names = files.list(path)
  if (names === undefined) return path.endsWith(FILE) ? readCatalogue(path, cloudOf(path), files) : []
  if (names.includes(FILE)) return readCatalogue(`${folder}/${FILE}`, cloudOf(`${folder}/${FILE}`), files)
  return names.flatMap((cloud) =>
    files.list(`${folder}/${cloud}`)?.includes(FILE) === true
      ? readCatalogue(`${folder}/${cloud}/${FILE}`, cloud, files)
      : [],
  )
}

function readCatalogue(path: string, cloud: string, files: Files): readonly CatalogFile[] {
  const bytes = files.read(path)
  return bytes === undefined ? [] : [{ cloud, text: new TextDecoder().decode(bytes) }]
}

/** The folder of a catalogue has the name of its cloud. */
function cloudOf(path: string): string {
  return path.split('/').at(-2) ?? 'catalogue'
}
