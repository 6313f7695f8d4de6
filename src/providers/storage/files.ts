import type { StoragePlan } from './plan.ts'

/** A file for the courier, under its folder. Only its owner may read it. */
export interface StorageFile {
  readonly path: string
  readonly content: string
}

/** What the courier reads. Every file holds one line, but that with the access. */
export function storageFiles(plan: StoragePlan): readonly StorageFile[] {
  const { entries, everySeconds, patienceSeconds, copyKib, slot } = plan
  const line = (path: string, content: string | number): StorageFile => ({ path, content: `${content}\n` })
  return [
    line('every', everySeconds),
    line('patience', patienceSeconds),
    line('copy_kib', Math.floor(copyKib)),
    line('slot', slot),
    ...entries.flatMap(({ mount, from, remote, mode, how, checkpoint, hub, access }, index) => {
      const folder = folderOf(index)
      return [
        line(`${folder}/mount`, mount),
        line(`${folder}/from`, from),
        line(`${folder}/remote`, remote),
        line(`${folder}/mode`, mode),
        line(`${folder}/how`, how),
        ...(checkpoint === undefined ? [] : [line(`${folder}/checkpoint`, checkpoint)]),
        ...(hub === undefined ? [] : [line(`${folder}/hub`, hub.list), line(`${folder}/inside`, hub.inside)]),
        ...(how === 'empty' ? [] : [{ path: `${folder}/access`, content: accessText(access) }]),
      ]
    }),
  ]
}

/** Where the data of an entry lies, under the folder of the courier. */
export function dataOf(index: number): string {
  return `${folderOf(index)}/data`
}

/** In the order of the entries, also for a shell. */
function folderOf(index: number): string {
  return `entries/${entryName(index)}`
}

export function entryName(index: number): string {
  return String(index).padStart(2, '0')
}

/** One variable a line. Values are read from one line each, so they have no line break. */
function accessText(access: Readonly<Record<string, string>>): string {
  return Object.entries(access)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
