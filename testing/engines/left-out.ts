/** A file with tests that need something of the machine. */
export interface NeedyFile {
  readonly path: string
  readonly text: string
}

/** What a file asks for that needs packages of Python: `python: ['moto']`. */
export const PYTHON = /python: \[([^\]]*)\]/
const ENGINES = /engines: \[[^\]]*\]/g

/** The files that cannot run because something that they ask for is not there. */
export function filesWithout(
  files: readonly NeedyFile[],
  missing: { readonly engines: readonly string[]; readonly servers: readonly string[] },
): readonly NeedyFile[] {
  return files.filter(({ text }) => {
    const engines = (text.match(ENGINES) ?? []).join(' ')
    const servers = PYTHON.exec(text)?.[1] ?? ''
    return (
      missing.engines.some((name) => engines.includes(`'${name}'`)) ||
      missing.servers.some((name) => servers.includes(`'${name}'`))
    )
  })
}
