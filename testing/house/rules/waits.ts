import { at, type NodeOf, type Rule } from '../source.ts'

/** The one file that races promises, and leaves nothing behind where one of them lives long. */
const RACES = 'src/ports/deadline.ts'

/** Shipped code waits with `within` and `unless`: a race in a loop is remembered for as long as its longest promise lives. */
export const noRaces: Rule = (sources) =>
  sources
    .filter(({ isShipped, path }) => isShipped && path.startsWith('src/') && path !== RACES)
    .flatMap((source) =>
      source
        .nodes('MemberExpression')
        .filter(isRace)
        .map(({ start }) => at(source, source.lineAt(start), `races promises instead of using ${RACES}`)),
    )

function isRace({ object, property, computed }: NodeOf<'MemberExpression'>): boolean {
  return (
    !computed &&
    object.type === 'Identifier' &&
    object.name === 'Promise' &&
    property.type === 'Identifier' &&
    property.name === 'race'
  )
}
