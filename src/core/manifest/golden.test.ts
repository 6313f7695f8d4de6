import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { Problem } from '../base/problem.ts'
import { parseManifest } from './parse.ts'

/**
 * Wrong manifests with the exact problems they get. Each file in golden/ holds cases: a title, a manifest, and what is
 * expected. `UPDATE_GOLDEN=1 npx vitest run golden` writes the expectations anew; read the difference before keeping it.
 */
const FOLDER = new URL('golden/', import.meta.url)
const MARK = '--- expected\n'

interface Case {
  readonly title: string
  readonly manifest: string
  readonly expected: string
}

describe.each(readdirSync(FOLDER).sort())('%s', (name) => {
  const url = new URL(name, FOLDER)
  const cases = readCases(readFileSync(url, 'utf8'))
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(url, cases.map(printCase).join(''))

  test.each(cases)('$title', ({ manifest, expected }) => {
    expect(printProblems(problemsIn(manifest))).toBe(expected)
  })
})

test('there are at least sixty wrong manifests', () => {
  const titles = readdirSync(FOLDER).flatMap((name) => readCases(readFileSync(new URL(name, FOLDER), 'utf8')))
  expect(titles.length).toBeGreaterThanOrEqual(60)
  expect(new Set(titles.map(({ title }) => title)).size).toBe(titles.length)
})

/** What a text file cannot hold, or should not. */
const MADE: Readonly<Record<string, Uint8Array>> = {
  'bad-utf8': Buffer.from('berth: v1\nname: caf\xe9\n', 'latin1'),
  'utf-16': Buffer.from('\ufeffberth: v1\n', 'utf16le'),
  control: Buffer.from('berth: v1\nname: demo\u0007\n'),
  huge: Buffer.from(`berth: v1\nenv: { A: ${'x'.repeat(256 * 1024)} }\n`),
  brackets: Buffer.from('['.repeat(100_000)),
  deep: Buffer.from(Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')),
}

function readCases(text: string): readonly Case[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = '', expected = ''] = part.split(MARK)
      const end = head.indexOf('\n')
      return { title: head.slice(0, end), manifest: head.slice(end + 1), expected: expected.trimEnd() }
    })
}

function problemsIn(manifest: string): readonly Problem[] {
  const made = /^@made (\S+)\n$/.exec(manifest)?.[1]
  const read = readYaml(made === undefined ? manifest : (MADE[made] ?? ''), 'demo.yaml')
  if ('problems' in read) return read.problems
  const parsed = parseManifest(read.document)
  return 'problems' in parsed ? parsed.problems : []
}

function printProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ code, message, hint, found, place }) => {
      const where = `${place?.line}:${place?.column}+${place?.length}`
      const lines = [message, ...(hint ?? '').split('\n')].filter((line) => line !== '')
      return [`${code} ${where}${found === undefined ? '' : ` «${found}»`}`, ...lines.map((line) => `  ${line}`)].join(
        '\n',
      )
    })
    .join('\n')
}

function printCase({ title, manifest }: Case): string {
  return `=== ${title}\n${manifest}${MARK}${printProblems(problemsIn(manifest))}\n\n`
}
