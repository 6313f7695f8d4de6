/** What `serve run` is told to run. */
export interface ServeTarget {
  /** Where the application is: `MODULE:NAME`. */
  readonly importPath: string
  readonly routePrefix: string
  /** What its builder gets. */
  readonly args: Readonly<Record<string, string>>
}

/**
 * The application that a command starts with Ray Serve: `serve run [--route-prefix PATH] MODULE:NAME [KEY=VALUE]...`. Undefined: it is
 * another command, or says more than the configuration of an application can.
 */
export function serveTarget([program, verb, ...words]: readonly string[]): ServeTarget | undefined {
  if (program !== 'serve' || verb !== 'run') return undefined
  const { prefixes, rest } = split(words.filter((word) => word !== '--blocking'))
  const [importPath = '', ...pairs] = rest
  const [routePrefix = '/', ...more] = prefixes
  if (!IMPORT_PATH.test(importPath) || !routePrefix.startsWith('/') || more.length > 0) return undefined
  const args = pairs.map((pair) => /^([^-=][^=]*)=([^]*)$/.exec(pair))
  if (args.some((pair) => pair === null)) return undefined
  return { importPath, routePrefix, args: Object.fromEntries(args.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''])) }
}

const IMPORT_PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$/
const PREFIX = '--route-prefix'

/** The values of the one option, and every other word. */
function split(words: readonly string[]): { readonly prefixes: readonly string[]; readonly rest: readonly string[] } {
  const prefixes: string[] = []
  const rest: string[] = []
  for (const [at, word] of words.entries()) {
    if (word.startsWith(`${PREFIX}=`)) prefixes.push(word.slice(PREFIX.length + 1))
    else if (word === PREFIX) prefixes.push(words[at + 1] ?? '')
    else if (words[at - 1] !== PREFIX) rest.push(word)
  }
  return { prefixes, rest }
}
