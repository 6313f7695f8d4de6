import { Argument, type Command, type Option } from 'commander'
import { CODES } from '../../codes/codes.ts'
import { ARCHES } from '../../core/hardware/arch.ts'
import type { Register } from '../cli.ts'
import { COMPLETE, completeCommand, NAMED } from './names.ts'
import { bashScript, fishScript, zshScript, type CommandNode, type Value } from './scripts.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

/** `berth completion`: a script that completes commands, flags, codes, files and the names the control plane knows. */
export const completion: Register = (program, cli) => {
  completeCommand(program, cli)
  program
    .command('completion')
    .description('print a shell script that completes commands, flags, codes, files and names')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(SHELLS))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Install the script once, and again after each update of Berth. Names of workloads, providers and so on come from the
control plane; while it does not answer, no names are completed.
  bash  berth completion bash > ~/.local/share/bash-completion/completions/berth
  zsh   berth completion zsh > "\${fpath[1]}/_berth"      (a folder of $fpath that you own)
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

/** Names of arguments and flag values that are file paths. */
const FILES = new Set(['path', 'file', 'manifest', 'plan', 'before', 'after'])

/** Every command of the tree, root first, with what can follow it. */
function commandNodes(root: Command, above: readonly string[] = []): readonly CommandNode[] {
  const path = [...above, root.name()]
  const [argument] = root.registeredArguments
  const options = root.createHelp().visibleOptions(root)
  const node: CommandNode = {
    path,
    commands: visible(root).map((command) => ({ name: command.name(), says: command.description() })),
    options: options.map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
      says: option.description,
      value: option.required || option.optional ? optionValue(option) : undefined,
    })),
    argument: argument === undefined ? undefined : argumentOf(root, argument),
  }
  return [node, ...visible(root).flatMap((command) => commandNodes(command, path))]
}

function argumentOf(command: Command, argument: Argument): Value {
  if (command.name() === 'explain') return { kind: 'names', of: 'workload', words: CODES.map(({ code }) => code) }
  const thing = /^names? of the (\w+?)s?(?:$|[ ,])/.exec(argument.description)?.[1]
  const named = NAMED.find((one) => one === thing || one === argument.name())
  return named === undefined
    ? valueOf(argument.argChoices, `<${argument.name()}>`)
    : { kind: 'names', of: named, words: [] }
}

/** The subcommands that `--help` shows. */
function visible(command: Command): readonly Command[] {
  return command.commands.filter((one) => one.name() !== COMPLETE)
}

function optionValue({ long, argChoices, flags }: Option): Value {
  if (long === '--arch') return { kind: 'words', words: Object.keys(ARCHES) }
  const named = NAMED.find((one) => long === `--${one}`)
  return named === undefined || argChoices !== undefined
    ? valueOf(argChoices, flags)
    : { kind: 'names', of: named, words: [] }
}

function valueOf(choices: readonly string[] | undefined, written: string): Value {
  if (choices !== undefined) return { kind: 'words', words: choices }
  const name = /[<[]([\w-]+)/.exec(written)?.[1] ?? ''
  return { kind: FILES.has(name) ? 'files' : 'anything' }
}
