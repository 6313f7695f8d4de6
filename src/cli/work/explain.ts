import { CODES, findCode, type CodeDoc, type CodeKind } from '../../codes/codes.ts'
import { nearest } from '../../core/document/nearest.ts'
import { UserError } from '../../core/base/problem.ts'
import type { Cli, Register } from '../cli.ts'
import { isKnownTarget } from '../platform/connection.ts'
import { answer } from '../output.ts'
import { printExplanation } from '../print/explanation.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { wrap } from '../terminal/wrap.ts'

/** `berth explain`: what a code means, or why a workload is where it is. */
export const explain: Register = (program, cli) => {
  remoteInProject(
    program
      .command('explain')
      .description('explain a code and what to do about it, or why a workload runs where it does')
      .argument('[code or name]', 'a code that Berth printed, or a workload; without it, all codes are listed')
      .option('--all', 'for a waiting workload: show every reason and the nearest misses'),
  )
    .addHelpText(
      'after',
      `
Examples:
  berth explain
  berth explain NO_NVLINK
  berth explain manifest_coupled -o json
  berth explain llama-70b`,
    )
    .action((asked: string | undefined, flags: ExplainFlags) => explainIt(asked, flags, cli))
}

interface ExplainFlags extends ProjectFlags {
  readonly all?: boolean
}

/** Codes are looked up first. They are in capitals, and names of workloads are not. */
async function explainIt(asked: string | undefined, flags: ExplainFlags, cli: Cli): Promise<void> {
  if (asked === undefined) return answer(cli, flags.output, { data: CODES, text: listCodes })
  const doc = findCode(asked)
  if (doc !== undefined) return answer(cli, flags.output, { data: doc, text: () => printCode(doc) })
  const isName = /^[a-z][a-z0-9-]*$/.test(asked)
  if (!isName || !isKnownTarget(flags, cli)) throw codeUnknown(asked, isName)
  const explanation = await berthOf(cli, flags).explain({ project: projectOf(cli, flags), name: asked })
  const screen = { nowMs: cli.clock.nowMs(), all: flags.all === true ? ('all' as const) : ('one-screen' as const) }
  return answer(cli, flags.output, { data: explanation, text: () => printExplanation(explanation, screen) })
}

/** Each kind of code in words. */
const CODE_KINDS: Readonly<Record<CodeKind, { readonly head: string; readonly one: string }>> = {
  reason: { head: 'Reasons: why an offer is turned down', one: 'a reason why an offer is turned down' },
  error: { head: 'Errors: what is wrong with a file or a command', one: 'an error in a file or a command' },
  quarantine: { head: 'Quarantine: why a row of offers is not trusted', one: 'why a row of offers is not trusted' },
  repair: { head: 'Repairs: what was corrected in a row of offers', one: 'a repair made to a row of offers' },
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

function codeUnknown(text: string, isName: boolean): UserError {
  const meant = nearest(
    text,
    CODES.map(({ code }) => code),
  )
  const all = '`berth explain` without a code lists all of them.'
  const others = isName ? ' A workload can be explained once a control plane is known (berth up, --url).' : ''
  const hint = (meant === undefined ? all : `Did you mean ${meant}? ${all}`) + others
  return new UserError([{ code: 'CODE_UNKNOWN', message: `There is no code ${text}.`, found: text, hint }])
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
