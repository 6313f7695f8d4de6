import { CODES, findCode, type CodeDoc, type CodeKind } from '../core/codes.ts'
import { nearest } from '../core/document/nearest.ts'
import { UserError } from '../core/problem.ts'
import type { Register } from './cli.ts'
import { answer, outputOption, type Format } from './output.ts'
import { table } from './table.ts'
import { wrap } from './wrap.ts'

/** `berth explain`: what a code means, why Berth says it and what to do. */
export const explain: Register = (program, cli) => {
  program
    .command('explain')
    .description('say what a code in a plan, an error or a check means, and what to do about it')
    .argument('[code]', 'a code as Berth prints it; without one, all of them are listed')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  berth explain
  berth explain NO_NVLINK
  berth explain manifest_coupled -o json`,
    )
    .action((code: string | undefined, flags: { readonly output: Format }) => {
      if (code === undefined) answer(cli, flags.output, { data: CODES, text: listCodes })
      else {
        const doc = codeMeant(code)
        answer(cli, flags.output, { data: doc, text: () => printCode(doc) })
      }
    })
}

/** What the codes of each kind are, in the order they are listed. */
const CODE_KINDS: Readonly<Record<CodeKind, { readonly head: string; readonly one: string }>> = {
  reason: { head: 'Reasons: why an offer is turned down', one: 'a reason why an offer is turned down' },
  error: { head: 'Errors: what is wrong with a file or a command', one: 'an error in a file or a command' },
  quarantine: { head: 'Quarantine: why a row of offers is not trusted', one: 'why a row of offers is not trusted' },
  repair: { head: 'Repairs: what was mended in a row of offers', one: 'a repair made to a row of offers' },
}

/** Whether waiting helps, in words. */
export const WAITING: Readonly<Record<NonNullable<CodeDoc['waiting']>, string>> = {
  helps: 'helps: it passes by itself',
  never: 'does not help',
  policy: 'does not help; the platform team decides it in a policy',
}

/** The kinds in the order they are listed. */
const KINDS: readonly CodeKind[] = ['reason', 'error', 'quarantine', 'repair']

const LINE = 100

function codeMeant(text: string): CodeDoc {
  const doc = findCode(text)
  if (doc !== undefined) return doc
  const meant = nearest(
    text,
    CODES.map(({ code }) => code),
  )
  const all = '`berth explain` without a code lists them all.'
  const hint = meant === undefined ? all : `Did you mean ${meant}? ${all}`
  throw new UserError([{ code: 'CODE_UNKNOWN', message: `There is no code ${text}.`, found: text, hint }])
}

function printCode({ code, kind, title, why, fix, requirement, waiting }: CodeDoc): string {
  const what = CODE_KINDS[kind].one + (requirement === undefined ? '' : ` (requirement ${requirement})`)
  return [
    `${code}: ${title}`,
    '',
    ...field('what', what),
    ...field('why', why),
    ...field('fix', fix),
    ...(waiting === undefined ? [] : field('waiting', WAITING[waiting])),
  ].join('\n')
}

function field(name: string, text: string): readonly string[] {
  return wrap(text, LINE - INDENT).map((line, index) => (index === 0 ? `  ${name}` : '').padEnd(INDENT) + line)
}

const INDENT = '  waiting  '.length

function listCodes(): string {
  const parts = KINDS.map((kind) => {
    const codes = CODES.filter((doc) => doc.kind === kind)
    const rows = codes.map(({ code, title }) => [code, title])
    return [CODE_KINDS[kind].head, ...table([{ head: '' }, { head: '' }], rows).slice(1)].join('\n')
  })
  return [...parts, 'Next:  berth explain CODE'].join('\n\n')
}
