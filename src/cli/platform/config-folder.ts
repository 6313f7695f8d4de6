import type { Cli } from '../cli.ts'

/** Folder of what the user's commands keep; undefined: the user has no home. */
export function configFolder(env: Cli['env']): string | undefined {
  const home = env('HOME')
  const folder = env('XDG_CONFIG_HOME') || (home ? `${home}/.config` : undefined)
  return folder === undefined ? undefined : `${folder}/berth`
}
