import type { Command } from 'commander'
import { CODES, type CodeDoc, type CodeKind } from '../../codes/codes.ts'
import { EXIT, type Cli } from '../cli.ts'
import { WAITING } from '../work/explain.ts'
import { program } from '../main.ts'
import { apiPage } from './api-page.ts'
import { eventsPage } from './events-page.ts'
import { manifestPage } from './manifest-page.ts'
import { OFFLINE } from '../offline.ts'
import { variablesPage } from './variables-page.ts'

/** The generated documentation, by path. `npm run docs` writes it; a test compares it with the code. */
export function renderDocs(): Readonly<Record<string, string>> {
  return {
    'docs/api.md': apiPage(),
    'docs/cli.md': cliPage(),
    'docs/errors.md': page(ERRORS_INTRO, ['error']),
    'docs/events.md': eventsPage(),
    'docs/manifest.md': manifestPage(),
    'docs/reasons.md': page(REASONS_INTRO, ['reason']),
    'docs/rows.md': page(ROWS_INTRO, ['quarantine', 'repair']),
    'docs/variables.md': variablesPage(),
  }
}

const MADE =
  'This page is generated from the code by `npm run docs`; `berth explain CODE` prints the same in a terminal.'

const REASONS_INTRO = `# Reasons

Why an offer is turned down. A plan counts every offer under the first reason that applies, in the order of this page,
and lists every reason for the offers it shows. \`…\` stands for what the manifest or the policy asks for.

The requirement is the name to use under \`unknown.accept\` in a policy. A reason that ends in \`_UNKNOWN\` means that the
provider does not say; the policy decides whether to accept that.`

const ERRORS_INTRO = `# Errors

What can be wrong with a manifest, an infrastructure file, an inventory or a command. Berth lists every problem in a file
at once, each with its line and column, and exits with 3.`

const ROWS_INTRO = `# Rows of offers

What \`berth offers check\` says about the rows of inventories and catalogues. A row that contradicts the hardware table is
repaired where the right value is certain. Otherwise it is quarantined: it stays visible and takes part in no decision.`

const HEADS: Readonly<Record<CodeKind, string | undefined>> = {
  reason: undefined,
  error: undefined,
  quarantine: 'Quarantine: why a row is not trusted',
  repair: 'Repairs: what was corrected',
}

function page(intro: string, kinds: readonly CodeKind[]): string {
  const parts = kinds.flatMap((kind) => {
    const codes = CODES.filter((doc) => doc.kind === kind)
    const head = HEADS[kind]
    const level = head === undefined ? '##' : '###'
    return [...(head === undefined ? [] : [`## ${head}`]), ...codes.map((doc) => `${level} ${entry(doc)}`)]
  })
  return `${[intro, MADE, ...parts].join('\n\n')}\n`
}

function entry({ code, title, why, fix, requirement, waiting }: CodeDoc): string {
  const about = [
    `*${title}*`,
    ...(requirement === undefined ? [] : [`requirement \`${requirement}\``]),
    ...(waiting === undefined ? [] : [`waiting ${WAITING[waiting]}`]),
  ]
  return `${code}\n${about.join(' · ')}\n\n${why}\n\n**What to do:** ${fix}`
}

const EXITS: readonly (readonly [name: keyof typeof EXIT, says: string])[] = [
  ['ok', 'Success: it fits, it is valid, there is no difference, or it is done.'],
  ['differs', '`diff`, `replay` and `template diff` found a difference.'],
  ['doesNotFit', 'The command worked, and the answer is that nothing fits, or not everything.'],
  ['invalid', 'A manifest, an infrastructure file, offers or a saved plan cannot be used; the message says why.'],
  [
    'notDone',
    'The request was understood but not fulfilled: it failed, it timed out, a check failed, or you answered no.',
  ],
  ['notFound', 'There is no object with this name: a workload, provider, project, template, token, context, code, ….'],
  ['forbidden', 'The token is valid but may not do this (FORBIDDEN).'],
  ['unauthenticated', 'There is no token, or it is unknown, revoked or expired (UNAUTHENTICATED).'],
  [
    'unconfirmed',
    'The command asks first, there is no terminal to ask on, and `--yes` was not given (CONFIRMATION_MISSING).',
  ],
  [
    'usage',
    'The command line itself is wrong: an unknown command or flag, a missing argument, a value that a flag does not take.',
  ],
  ['unreachable', 'The control plane cannot be reached, or none is known. Workloads keep running.'],
  ['bug', 'A bug in Berth. Please report it with the printed text.'],
  ['interrupted', 'Ctrl-C. Workloads keep running.'],
]

function cliPage(): string {
  const exits = EXITS.map(([name, says]) => `| ${EXIT[name]} | ${says} |`)
  const commands = allCommands(program(NOWHERE)).map(({ name, help }) => `## ${name}\n\`\`\`text\n${help}\n\`\`\``)
  return `# The command line

Every command also has \`-o json\` and \`-o yaml\`, which hold everything on the screen and more. Answers go to standard
output and errors to standard error. With \`-o json\` an error is
\`{"error": {"exit_code", "problems": [{"code", "message", "hint", …}]}}\`.

This page is generated from the code by \`npm run docs\`.

## Exit codes
| code | meaning |
|---|---|
${exits.join('\n')}

\`berth wait\` and \`berth exec\` also end with the exit code of the job or command itself, and \`berth wait\` with 124 when its time runs out.

${commands.join('\n\n')}
`
}

function allCommands(command: Command, above = ''): readonly { readonly name: string; readonly help: string }[] {
  const name = `${above}${command.name()}`
  return [
    { name, help: helpOf(command) },
    ...command.commands
      .filter((next) => !next.name().startsWith('__'))
      .flatMap((next) => allCommands(next, `${name} `)),
  ]
}

/** The output of `--help`, at a fixed width. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({
    writeOut: (part) => (text += part),
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  return text.trimEnd()
}

/** Stand-ins that do nothing: help needs none of them. */
export const NOWHERE: Cli = {
  ...OFFLINE,
  files: { read: () => undefined, list: () => undefined, write: () => false },
  clock: { nowMs: () => 0, tickMs: () => 0, cpuMs: () => 0 },
  terminal: { out: () => undefined, err: () => undefined, columns: undefined, color: false },
  sources: [],
  solver: () => ({ solve: () => Promise.resolve({ kind: 'out-of-time' }), close: () => Promise.resolve() }),
  examples: '',
  exit: () => undefined,
}
