import type { Recipe } from './recipes.ts'

/**
 * The go.mod of a module of ours that needs nothing but the engine: a build never has to ask for a list of versions. A main
 * module's replacements count and those of its dependencies do not, so they are taken over from the engine's own go.mod.
 */
export function wrapperOf({ name, module, version, staging }: Recipe, goMod: string): string {
  const lines = [`module berth.test/${name}`, 'go 1.26.0', `require ${module} ${version}`]
  if (staging === undefined) return `${lines.join('\n\n')}\n`
  const replaced = replacementsIn(goMod).map(
    ({ from, to }) => `\t${from} => ${to.startsWith('.') ? `${bare(from)} ${staging}` : to}`,
  )
  return `${[...lines, ['replace (', ...replaced, ')'].join('\n')].join('\n\n')}\n`
}

interface Replacement {
  readonly from: string
  readonly to: string
}

/** `replace a => b` and the same inside of a block. */
function replacementsIn(goMod: string): readonly Replacement[] {
  return goMod
    .split('\n')
    .map((line) => line.replace(/\/\/.*$/, '').replace(/^\s*replace\s/, ''))
    .map((line) => line.split('=>').map((part) => part.trim()))
    .flatMap(([from, to]) => (from === undefined || to === undefined ? [] : [{ from, to }]))
}

function bare(module: string): string {
  return module.split(' ')[0] ?? module
}
