import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Recipe } from './recipes.ts'

/** Where built engines are kept, outside of any checkout. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'berth', 'engines')
}

/** The folder of what a recipe makes. It has another name when the recipe changes, and is there whole or not at all. */
export function folderOf(recipe: Recipe): string {
  const mark = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 8)
  return join(cacheFolder(), `${recipe.name}-${recipe.version}-${mark}`)
}

export function isBuilt(recipe: Recipe): boolean {
  return existsSync(folderOf(recipe))
}
