import { COMPLETE, type Named } from './names.ts'

/** What can stand in a place: one of some words, a name that is asked for, the path of a file, or anything. */
export type Value =
  | { readonly kind: 'names'; readonly of: Named; readonly words: readonly string[] }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'anything' }

/** A command and what can follow it. */
export interface CommandNode {
  /** `['berth', 'offers', 'list']` */
  readonly path: readonly string[]
  readonly commands: readonly { readonly name: string; readonly says: string }[]
  readonly options: readonly OptionNode[]
  readonly argument: Value | undefined
}

interface OptionNode {
  readonly flags: readonly string[]
  readonly says: string
  /** Undefined: the flag stands alone. */
  readonly value: Value | undefined
}

/** Where nothing is offered, bash falls back to files, unless it is told that a file makes no sense. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# Completion of berth for bash. Made by: berth completion bash
_berth() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=berth i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${deeper(nodes)
  .map((name) => `      '${name}') at='${name}' ;;`)
  .join('\n')}
    esac
  done
${arms(nodes, { words: bashWords, names: bashNames, files: 'return', anything: 'compopt +o default 2>/dev/null; return' })}
}
complete -o default -F _berth berth
`
}

export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef berth
# Completion of berth for zsh. Made by: berth completion zsh
_berth() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} at=berth i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${deeper(nodes)
  .map((name) => `      '${name}') at='${name}' ;;`)
  .join('\n')}
    esac
  done
${arms(nodes, { words: (words) => `compadd -- ${words.join(' ')}; return`, names: zshNames, files: '_files; return', anything: 'return' })}
}
if [ "$funcstack[1]" = "_berth" ]; then _berth "$@"; else compdef _berth berth; fi
`
}

export function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const here = `complete -c berth -n ${quoted(fishPlace(node))}`
    return [
      ...node.commands.map(({ name, says }) => `${here} -f -a ${name} -d ${quoted(says)}`),
      ...(node.argument === undefined ? [] : [`${here} ${fishValue(node.argument)}`]),
      ...node.options.map((option) => `${here} ${fishOption(option)} -d ${quoted(option.says)}`),
    ]
  })
  return ['# Completion of berth for fish. Made by: berth completion fish', 'complete -c berth -f', ...lines, ''].join(
    '\n',
  )
}

/** Full names of all commands below the root. */
function deeper(nodes: readonly CommandNode[]): readonly string[] {
  return nodes.filter(({ path }) => path.length > 1).map(({ path }) => path.join(' '))
}

/** How a shell offers each kind of value. */
interface Offering {
  readonly words: (words: readonly string[]) => string
  readonly names: (of: Named, words: readonly string[]) => string
  readonly files: string
  readonly anything: string
}

/** First flags, where one is begun, then the value of the flag before the cursor, then commands and arguments. */
function arms(nodes: readonly CommandNode[], offering: Offering): string {
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : [`    ${flags.map((flag) => `'${path.join(' ')} ${flag}'`).join('|')}) ${offer(value, offering)} ;;`],
    ),
  )
  const flags = nodes.map(({ path, options }) => {
    const words = options.flatMap((option) => option.flags)
    return `      '${path.join(' ')}') ${offering.words(words)} ;;`
  })
  const rest = nodes.map(({ path, commands, argument }) => {
    const words = commands.map(({ name }) => name)
    const value: Value = argument ?? (words.length > 0 ? { kind: 'words', words } : { kind: 'anything' })
    return `    '${path.join(' ')}') ${offer(value, offering)} ;;`
  })
  return [
    '  case $cur in -*)',
    '    case $at in',
    ...flags,
    '    esac ;;',
    '  esac',
    '  case "$at $prev" in',
    ...values,
    '  esac',
    '  case $at in',
    ...rest,
    '  esac',
  ].join('\n')
}

function offer(value: Value, offering: Offering): string {
  if (value.kind === 'names') return offering.names(value.of, value.words)
  return value.kind === 'words' ? offering.words(value.words) : offering[value.kind]
}

function bashWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")); return`
}

function bashNames(of: Named, words: readonly string[]): string {
  const names = `$("\${COMP_WORDS[0]}" ${COMPLETE} ${of} -- "\${COMP_WORDS[@]:1}" 2>/dev/null)`
  return `COMPREPLY=($(compgen -W '${words.join(' ')}'" ${names}" -- "$cur")); compopt +o default 2>/dev/null; return`
}

function zshNames(of: Named, words: readonly string[]): string {
  return `compadd -- ${words.join(' ')} \${(f)"$(\${words[1]} ${COMPLETE} ${of} -- \${words[2,-1]} 2>/dev/null)"}; return`
}

/** After the command itself and before any of its own commands. */
function fishPlace({ path, commands }: CommandNode): string {
  const after = path.slice(1).map((name) => `__fish_seen_subcommand_from ${name}`)
  const before =
    commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`]
  return [...after, ...before].join('; and ')
}

function fishOption({ flags, value }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
  return [...names, ...(value === undefined ? [] : ['-r', fishValue(value)])].join(' ')
}

function fishValue(value: Value): string {
  switch (value.kind) {
    case 'words':
      return `-f -a ${quoted(value.words.join(' '))}`
    case 'names':
      return `-f -a ${quoted([...value.words, `(berth ${COMPLETE} ${value.of} -- (commandline -opc)[2..-1] 2>/dev/null)`].join(' '))}`
    case 'files':
      return '-F'
    case 'anything':
      return '-f'
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
