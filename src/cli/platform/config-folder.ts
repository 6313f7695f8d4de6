import type { Cli } from '../cli.ts'

/** The folder where commands keep the user's settings; undefined: the user has no home folder. */
export function configFolder(env: Cli['env']): string | undefined {
  const home = env('HOME')
  const folder = env('XDG_CONFIG_HOME') || (home ? `${home}/.config` : undefined)
  return folder === undefined ? undefined : `${folder}/berth`
}
