import { basename } from 'node:path'

const SPECIAL = /^(README|LICENSE)(\.md)?$/

/** Files are named in kebab-case. */
export function kebabCase(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !SPECIAL.test(basename(path)) && !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(path)))
}

/** Names say what is inside: no drawers. */
export function noDrawers(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => /\b(utils?|common|helpers?|managers?|misc)\b/.test(path))
}
