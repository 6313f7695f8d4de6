import { basename, dirname } from 'node:path'
import type { Rule, Source } from '../source.ts'

/** Registries with one entry a file: their length is how much there is, not how badly it is sorted. */
const REGISTRIES = new Set(['src/core/requirement/filter'])

const FILES_MAX = 30
const SHARING_MAX = 3

/** At most 30 files in a folder, tests not counted; registries with one entry a file excepted. */
export const folderSize: Rule = (sources) =>
  [...byFolder(sources)]
    .filter(([folder, files]) => files.length > FILES_MAX && !REGISTRIES.has(folder))
    .map(([folder, files]) => `${folder} has ${files.length} files`)

/** What four files of a folder begin with is the name of a folder: `gang.ts` and `gang-*.ts`. */
export const folderPrefixes: Rule = (sources) =>
  [...byFolder(sources)].flatMap(([folder, files]) => {
    const counts = new Map<string, number>()
    for (const prefix of files.flatMap(prefixesOf)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
    return [...counts]
      .filter(([, count]) => count > SHARING_MAX)
      .map(([prefix, count]) => `${folder} has ${count} files that begin with ${prefix}`)
  })

function byFolder(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    sources.filter((source) => !source.isTest).map(({ path }) => path),
    (path) => dirname(path),
  )
}

/** `gang-queue-row.ts` begins with `gang`, with `gang-queue` and with the whole of its name. */
function prefixesOf(path: string): readonly string[] {
  const words = (basename(path).split('.')[0] ?? '').split('-')
  return words.map((_, index) => words.slice(0, index + 1).join('-'))
}
