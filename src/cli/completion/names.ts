import type { Command } from 'commander'
import type { Berth } from '../../ports/berth.ts'
import type { Cli } from '../cli.ts'
import { findTarget, type TargetFlags } from '../platform/connection.ts'
import { HERE, readContexts } from '../platform/contexts.ts'

/** The kinds of object whose names the control plane or this user's contexts know. */
export const NAMED = ['workload', 'provider', 'project', 'template', 'policy', 'secret', 'context'] as const

export type Named = (typeof NAMED)[number]

/** The hidden command that completion scripts call to get names. */
export const COMPLETE = '__complete'

/** The user has pressed Tab and is waiting. */
const PATIENCE_MS = 250

const NAMES_MAX = 500

/** Adds the hidden command. It swallows every error and exits 0, so that a shell shows some names or none. */
export function completeCommand(program: Command, cli: Cli): void {
  program
    .command(COMPLETE, { hidden: true })
    .argument('<kind>')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (kind: string, words: readonly string[]) => {
      const named = NAMED.find((one) => one === kind)
      const names = named === undefined ? [] : await namesOf(named, words, cli).catch((): readonly string[] => [])
      // Shells expand what they are given, so anything but a plain name is left out.
      const plain = names.filter((name) => /^[\w.-]+$/.test(name)).slice(0, NAMES_MAX)
      if (plain.length > 0) cli.terminal.out(`${plain.join('\n')}\n`)
    })
}

async function namesOf(kind: Named, words: readonly string[], cli: Cli): Promise<readonly string[]> {
  if (kind === 'context') return [HERE, ...readContexts(cli).contexts.keys()]
  const flags: TargetFlags = {
    ...flag('url', words),
    ...flag('context', words),
    ...flag('ca', words),
    ...(after('--token-file', words) !== undefined && { tokenFile: after('--token-file', words) ?? '' }),
  }
  const project = after('--project', words) ?? (cli.env('BERTH_PROJECT') || 'default')
  const berth = cli.berth({ ...findTarget(flags, cli), timeoutMs: PATIENCE_MS, tries: 1 })
  return (await ASKED[kind](berth, project)).map(({ name }) => name)
}

type Asking = (berth: Berth, project: string) => Promise<readonly { readonly name: string }[]>

const ASKED: Readonly<Record<Exclude<Named, 'context'>, Asking>> = {
  workload: async (berth, project) => (await berth.workloads({ project, limit: 100 })).items,
  provider: (berth) => berth.providers(),
  project: (berth) => berth.projects(),
  template: (berth, project) => berth.templates({ project }),
  policy: (berth) => berth.policies(),
  secret: (berth, project) => berth.secrets({ project }),
}

function flag(name: 'url' | 'context' | 'ca', words: readonly string[]): TargetFlags {
  const value = after(`--${name}`, words)
  return value === undefined ? {} : { [name]: value }
}

/** The value of a flag already typed, as `--flag value` or `--flag=value`. */
function after(name: string, words: readonly string[]): string | undefined {
  const joined = words.find((word) => word.startsWith(`${name}=`))
  if (joined !== undefined) return joined.slice(name.length + 1)
  const at = words.indexOf(name)
  return at < 0 ? undefined : words[at + 1]
}
