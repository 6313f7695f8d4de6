import { at, type Comment, type Rule } from '../source.ts'

/** How code looks that was left in a comment. */
const CODE = /^ (?:(?:const|let|return|import|export|if|for) .*[({;=]|\}|\w+\(.*\)$)/

/** What is left to do names its issue. */
export const issuesNamed = without(
  ({ text }) => /\b(TODO|FIXME|XXX)\b(?! #\d)/.test(text),
  'is left to do without an issue',
)

/** No code is commented out. */
export const noDeadCode = without(({ text, isAlone }) => isAlone && CODE.test(text), 'is code in a comment')

/** Compilers and linters are not told to look away without a reason. */
export const lookedAt = without(
  ({ text }) => /@ts-|oxlint-disable(?!.* -- \w)|eslint-disable/.test(text),
  'tells a tool to look away without a reason',
)

function without(isWrong: (comment: Comment) => boolean, what: string): Rule {
  return (sources) =>
    sources.flatMap((source) => source.comments.filter(isWrong).map(({ line }) => at(source, line, what)))
}
