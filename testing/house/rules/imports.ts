import { at, packageOf, type Import, type Rule, type Source } from '../source.ts'
import { roomOf } from './rooms.ts'

/** Where zod may turn documents, and facts, into types. */
const ZOD = /^src\/core\/(manifest|requirement|policy|document|template|event|life\/row)\//

/** Rooms that touch the world themselves. */
const EDGES = new Set(['providers', 'store', 'server', 'gateway', 'solver', 'vault', 'client', 'up', 'entry'])

/** Imports name files that exist, with their ending. */
export function existingFiles(exists: (path: string) => boolean): Rule {
  return (sources) => wrongImports(sources, ({ target }) => target !== undefined && !exists(target))
}

/** Shipped code does not lean on tests. */
export const noTestsShipped: Rule = (sources) =>
  wrongImports(
    sources.filter((source) => source.isShipped),
    ({ target }) => target !== undefined && /\.(test|suite|fixture)\.ts$/.test(target),
  )

/** Nothing in `src` imports `testing`, its tests included: what both need stands in `src`. */
export const noTestingInSrc: Rule = (sources) =>
  wrongImports(
    sources.filter(({ path }) => path.startsWith('src/')),
    ({ target }) => target !== undefined && !target.startsWith('src/'),
  )

/** Core uses nothing from npm but zod, where documents become types. */
export const coreAlone: Rule = (sources) =>
  sources
    .filter((source) => source.isShipped && source.path.startsWith('src/core/'))
    .flatMap((source) =>
      wrongImports(
        [source],
        ({ written, target }) => target === undefined && !(written === 'zod' && ZOD.test(source.path)),
      ),
    )

/** Shipped code uses Node and the dependencies that are shipped with it. */
export function shippedDependencies(dependencies: readonly string[]): Rule {
  return (sources) =>
    wrongImports(
      sources.filter((source) => source.isShipped),
      ({ written, target }) =>
        target === undefined && !written.startsWith('node:') && !dependencies.includes(packageOf(written)),
    )
}

/** Only the edges and the composition root use Node's own modules. */
export const edgesAlone: Rule = (sources) =>
  wrongImports(
    sources.filter((source) => source.isShipped && !EDGES.has(roomOf(source.path))),
    ({ written }) => written.startsWith('node:'),
  )

function wrongImports(sources: readonly Source[], isWrong: (each: Import) => boolean): readonly string[] {
  return sources.flatMap((source) =>
    source.imports.filter(isWrong).map(({ line, written }) => at(source, line, `imports ${written}`)),
  )
}
