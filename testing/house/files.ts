import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The folder of the repository. */
export const ROOT = join(import.meta.dirname, '../..')

/** Every file below a folder of the repository whose name ends so, with its path from the repository's root. */
export function filesUnder(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()
}
