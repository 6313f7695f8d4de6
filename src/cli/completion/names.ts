import type { Command } from 'commander'
import type { Berth } from '../../ports/berth.ts'
import type { Cli } from '../cli.ts'
import { findTarget, type TargetFlags } from '../platform/connection.ts'
import { HERE, readContexts } from '../platform/contexts.ts'

/** What the control plane, or this user's contexts, have names of. */
export const NAMED = ['workload', 'provider', 'project', 'template', 'policy', 'secret', 'context'] as const

export type Named = (typeof NAMED)[number]

/** The command that scripts ask for names; people never see it. */
export const COMPLETE = '__complete'

/** Somebody has pressed a key and waits. */
const PATIENCE_MS = 250

const NAMES_MAX = 500

/** Adds it. Whatever goes wrong, it says nothing and ends well: a shell shows what there is, or nothing. */
export function completeCommand(program: Command, cli: Cli): void {
  program
    .command(COMPLETE, { hidden: true })
    .argument('<kind>')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (kind: string, words: readonly string[]) => {
      const named = NAMED.find((one) => one === kind)
      const names = named === undefined ? [] : await namesOf(named, words, cli).catch((): readonly string[] => [])
      // Shells expand what they are given: anything but a plain name stays out.
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
  template: (berth, project) => berth.templates(project),
  policy: (berth) => berth.policies(),
  secret: (berth, project) => berth.secrets(project),
}

function flag(name: 'url' | 'context' | 'ca', words: readonly string[]): TargetFlags {
  const value = after(`--${name}`, words)
  return value === undefined ? {} : { [name]: value }
}

/** The value of a flag that was typed already, in either of its forms. */
function after(name: string, words: readonly string[]): string | undefined {
  const joined = words.find((word) => word.startsWith(`${name}=`))
  if (joined !== undefined) return joined.slice(name.length + 1)
  const at = words.indexOf(name)
  return at < 0 ? undefined : words[at + 1]
}
