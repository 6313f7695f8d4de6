import { at, type NodeOf, type NodeType, type Rule, type Source } from '../source.ts'

/** No `any`: it switches the checker off for all that it touches. */
export const noAny = without(['TSAnyKeyword'], 'says any')

/** No `enum`, of which Node cannot strip the types: a union of texts does the same. */
export const noEnum = without(['TSEnumDeclaration'], 'declares an enum')

/** No `!` that claims a value to be there. */
export const noBang = without(['TSNonNullExpression'], 'claims with ! that a value is there')

/** No namespaces: files are modules. What is said about another module (`declare module 'x'`) is none. */
export const noNamespace: Rule = (sources) =>
  sources.flatMap((source) =>
    source
      .nodes('TSModuleDeclaration')
      .filter(({ id }) => id.type !== 'Literal')
      .map(({ start }) => at(source, source.lineAt(start), 'declares a namespace')),
  )

/** Types are named after what they are, without an I in front. */
export const noPrefixedInterface: Rule = (sources) =>
  sources.flatMap((source) =>
    source
      .nodes('TSInterfaceDeclaration')
      .filter(({ id }) => /^I[A-Z]/.test(id.name))
      .map(({ id }) => at(source, source.lineAt(id.start), `names a type ${id.name}`)),
  )

/** A shipped `switch` has no default, so that a new case does not compile until it is handled. */
export const noDefault: Rule = (sources) =>
  shipped(sources).flatMap((source) =>
    source
      .nodes('SwitchStatement')
      .filter((node) => !isAboutLetters(node))
      .flatMap(({ cases }) => cases.filter(({ test }) => test === null))
      .map(({ start }) => at(source, source.lineAt(start), 'is a default')),
  )

/** A shipped `as` is proved by a comment on its line or right above; `as const` claims nothing. */
export const provedCasts: Rule = (sources) =>
  shipped(sources).flatMap((source) => {
    const claims = source.nodes('TSAsExpression', 'TSTypeAssertion').filter((node) => !isConst(node))
    return claims
      .map(({ typeAnnotation }) => source.lineAt(typeAnnotation.start))
      .filter((line) => !source.comments.some((comment) => proves(comment, line)))
      .map((line) => at(source, line, 'claims a type without saying why it holds'))
  })

/** The name of an exported type has one meaning in `src`. */
export const uniqueTypeNames: Rule = (sources) => {
  const declared = shipped(sources).flatMap((source) =>
    exportedTypesOf(source).map((name) => ({ name, path: source.path })),
  )
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${places.map(({ path }) => path).join(' and ')} both export a type ${name}`)
}

function without(types: readonly NodeType[], what: string): Rule {
  return (sources) =>
    sources.flatMap((source) => source.nodes(...types).map(({ start }) => at(source, source.lineAt(start), what)))
}

function shipped(sources: readonly Source[]): readonly Source[] {
  return sources.filter((source) => source.isShipped)
}

/** A switch over the letters of a text can never list them all. */
function isAboutLetters({ cases }: NodeOf<'SwitchStatement'>): boolean {
  return cases.some(({ test }) => test?.type === 'Literal' && typeof test.value === 'string' && test.value.length === 1)
}

function isConst({ typeAnnotation }: NodeOf<'TSAsExpression' | 'TSTypeAssertion'>): boolean {
  return (
    typeAnnotation.type === 'TSTypeReference' &&
    typeAnnotation.typeName.type === 'Identifier' &&
    typeAnnotation.typeName.name === 'const'
  )
}

function proves({ line, lastLine, isAlone }: Source['comments'][number], at: number): boolean {
  return (line <= at && at <= lastLine) || (isAlone && lastLine === at - 1)
}

function exportedTypesOf(source: Source): readonly string[] {
  return source.nodes('ExportNamedDeclaration').flatMap(({ declaration }) => {
    const isType = declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration'
    const isClass = declaration?.type === 'ClassDeclaration'
    return (isType || isClass) && declaration.id !== null ? [declaration.id.name] : []
  })
}
