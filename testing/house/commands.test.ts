import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError, type Command } from 'commander'
import { expect, test } from 'vitest'
import { UserError } from '../../src/core/base/problem.ts'
import { NOWHERE } from '../../src/cli/page/docs.ts'
import { program } from '../../src/cli/main.ts'
import { ROOT } from './files.ts'

// Every command line of the README, the docs and the guides is one that Berth understands, also where a test cannot run it:
// because it needs a cluster, a key or another machine.

const PAGES = ['README.md', 'SECURITY.md', ...pagesIn('docs'), ...pagesIn('docs/guides')]

test.each(PAGES)('every command of %s is understood', async (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const wrong: string[] = []
  for (const line of linesIn(text)) {
    const why = await whyNot(line)
    if (why !== undefined) wrong.push(`${line}: ${why}`)
  }
  expect(wrong).toEqual([])
})

test('the pages have commands, and a wrong one is found', async () => {
  expect(PAGES.flatMap((page) => linesIn(readFileSync(join(ROOT, page), 'utf8'))).length).toBeGreaterThan(150)
  expect(await whyNot('berth ps --nope')).toContain("unknown option '--nope'")
  expect(await whyNot('berth nope')).toContain("unknown command 'nope'")
  expect(await whyNot('berth scale web many')).toContain('whole number')
})

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []))
}

/** Commands in fenced blocks, in indented blocks, and in code within a sentence. */
function linesIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^(?: {4}|\$ )?(?:[^`|\n]*\| )?(?:bin\/)?(berth [a-z][^\n]*)$/gm)].map(
    ([, line = '']) => {
      // A comment, or a remark in a second column.
      return line.replace(/ {2,}\S.*$| #.*$/, '')
    },
  )
  const inline = [...text.matchAll(/`(berth [a-z][^`\n]*)`/g)].map(([, line = '']) => line)
  return [...new Set([...blocks, ...inline])].filter((line) => !/…|\.\.\.|[<|]|\. [A-Z]/.test(line))
}

/** Why a command line is not understood. One that is not whole, such as `berth apply`, is. */
async function whyNot(line: string): Promise<string | undefined> {
  const [, ...words] = line.replace(/ > .*$/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  try {
    await withoutActions(program(NOWHERE, () => {})).parseAsync(words.map(plainWord), { from: 'user' })
    return undefined
  } catch (error) {
    // It was understood, and nothing stands behind it here.
    if (error instanceof UserError) return undefined
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 || PARTS.has(error.code) ? undefined : error.message
  }
}

/** Without quotes; a number or an address where the page has a word for one. */
function plainWord(word: string): string {
  if (word === 'HOST:PORT') return '127.0.0.1:7800'
  return word === 'N' ? '1' : word.replace(/^(['"])(.*)\1$/, '$2')
}

/** What is said of a command line that only lacks something. */
const PARTS: ReadonlySet<string> = new Set([
  'commander.help',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
])

/** The command tree as it is, with nothing behind it. */
function withoutActions(command: Command): Command {
  for (const inner of command.commands) withoutActions(inner)
  return command.commands.length > 0 ? command : command.action(() => {})
}
