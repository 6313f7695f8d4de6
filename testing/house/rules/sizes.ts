import { at, type Rule, type Source } from '../source.ts'

const LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const PARAMETERS_MAX = 3

/** No file is longer than 400 lines. */
export const fileLength: Rule = (sources) =>
  sources.filter(({ lines }) => lines.length > LINES_MAX).map(({ path, lines }) => `${path} has ${lines.length} lines`)

/** No function is longer than 60 lines: one screen. The blocks of tests are left out. */
export const functionLength: Rule = (sources) =>
  withoutTests(sources).flatMap((source) =>
    source
      .nodes('FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression')
      .map(({ start, end }) => ({ line: source.lineAt(start), lastLine: source.lineAt(end) }))
      .filter(({ line, lastLine }) => lastLine - line + 1 > FUNCTION_LINES_MAX)
      .map(({ line, lastLine }) => at(source, line, `is a function of ${lastLine - line + 1} lines`)),
  )

/** No function takes more than three parameters. Tests are left out: what test.each hands over comes one by one. */
export const parameterCount: Rule = (sources) =>
  withoutTests(sources).flatMap((source) =>
    source
      .nodes(
        'FunctionDeclaration',
        'FunctionExpression',
        'ArrowFunctionExpression',
        'TSFunctionType',
        'TSMethodSignature',
      )
      .filter(({ params }) => params.length > PARAMETERS_MAX)
      .map(({ start, params }) => at(source, source.lineAt(start), `takes ${params.length} parameters`)),
  )

function withoutTests(sources: readonly Source[]): readonly Source[] {
  return sources.filter((source) => !source.isTest)
}
