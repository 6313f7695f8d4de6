import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Reply fields to delete, each a line of a schema. */
const FIELDS = [
  { file: 'src/api/answers.ts', line: '    expires_ms: moment,\n' },
  { file: 'src/api/schemas.ts', line: '  health_path: z.string().optional(),\n' },
  { file: 'src/api/plan.ts', line: '  usd_above_first: usd,\n' },
] as const

const made: string[] = []
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A copy of the sources without these lines. */
function without(fields: readonly (typeof FIELDS)[number][]): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-without-'))
  made.push(folder)
  for (const part of ['src', 'docs', 'tsconfig.json', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, line } of fields) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect(text).toContain(line)
    writeFileSync(join(folder, file), text.replace(line, ''))
  }
  return folder
}

describe('a reply field that is deleted from the route table', () => {
  test('is missing in the page of the API', () => {
    const print = `const { renderDocs } = await import('./src/cli/page/docs.ts')
      process.stdout.write(renderDocs()['docs/api.md'])`
    const ran = spawnSync('node', ['--input-type=module', '-e', print], { cwd: without(FIELDS), encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    const now = readFileSync(join(ROOT, 'docs/api.md'), 'utf8')
    for (const { line } of FIELDS) {
      const count = (text: string) => text.split(`\`${/\w+/.exec(line)?.[0]}\``).length
      expect(count(ran.stdout)).toBeLessThan(count(now))
    }
  })

  // The compiler reads the whole tree: 10 s of a processor.
  test.skipIf(!IS_WHOLE)('does not compile in the server, nor in the client', () => {
    const folder = without(FIELDS)
    const ran = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const files = [...ran.stdout.matchAll(/^(src\/\S+\.ts)\(/gm)].map(([, file]) => file)
    expect(files).toContain('src/server/handle-work.ts')
    expect(files).toContain('src/service/tokens.ts')
    expect(files).toContain('src/cli/platform/token.ts')
    expect(ran.stdout).toContain('usd_above_first')
  })
})
