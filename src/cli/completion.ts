import { Argument, type Command } from 'commander'
import { CODES } from '../core/codes.ts'
import type { Register } from './cli.ts'
import { bashScript, fishScript, zshScript, type CommandNode, type Value } from './completion-scripts.ts'
import { answer, outputOption, type Format } from './output.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

/** `berth completion`: a script that completes commands, flags, codes and files. It is static and calls nothing. */
export const completion: Register = (program, cli) => {
  program
    .command('completion')
    .description('print a script that completes commands, flags, codes and files in a shell')
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Install it once; print it again after an update.
  bash  berth completion bash > ~/.local/share/bash-completion/completions/berth
  zsh   berth completion zsh > "\${fpath[1]}/_berth"      (a folder of $fpath that is yours)
  fish  berth completion fish > ~/.config/fish/completions/berth.fish

Examples:
  source <(berth completion bash)`,
    )
    .action((shell: Shell, flags: { readonly output: Format }) => {
      const script = SCRIPTS[shell](commandNodes(program))
      answer(cli, flags.output, { data: { shell, script }, text: () => script.trimEnd(), lines: 'as-is' })
    })
}

const SCRIPTS: Readonly<Record<Shell, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Names of values that are paths of files. */
const FILES = new Set(['path', 'file', 'manifest', 'plan', 'before', 'after'])

/** Every command of the tree, the root first, with what can follow it. */
function commandNodes(root: Command, above: readonly string[] = []): readonly CommandNode[] {
  const path = [...above, root.name()]
  const [argument] = root.registeredArguments
  const options = root.createHelp().visibleOptions(root)
  const node: CommandNode = {
    path,
    commands: root.commands.map((command) => ({ name: command.name(), says: command.description() })),
    options: options.map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
      says: option.description,
      value: option.required || option.optional ? valueOf(option.argChoices, option.flags) : undefined,
    })),
    argument: argument === undefined ? undefined : argumentOf(root, argument),
  }
  return [node, ...root.commands.flatMap((command) => commandNodes(command, path))]
}

function argumentOf(command: Command, argument: Argument): Value {
  if (command.name() === 'explain') return { kind: 'words', words: CODES.map(({ code }) => code) }
  return valueOf(argument.argChoices, `<${argument.name()}>`)
}

function valueOf(choices: readonly string[] | undefined, written: string): Value {
  if (choices !== undefined) return { kind: 'words', words: choices }
  const name = /[<[]([\w-]+)/.exec(written)?.[1] ?? ''
  return { kind: FILES.has(name) ? 'files' : 'anything' }
}
