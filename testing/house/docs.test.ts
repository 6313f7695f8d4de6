import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../src/cli/cli.ts'
import { renderDocs } from '../../src/cli/page/docs.ts'
import { CODES } from '../../src/codes/codes.ts'
import { ROOT } from './files.ts'

const PAGES = renderDocs()

describe('docs', () => {
  test.each(Object.entries(PAGES))('%s says what the code says (npm run docs)', (path, text) => {
    const written = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : ''
    expect(written).toBe(text)
  })

  test('every code has its heading on exactly one page', () => {
    const heads = Object.values(PAGES).flatMap((text) =>
      [...text.matchAll(/^##+ ([A-Z_]+)$/gm)].map((match) => match[1]),
    )
    expect(heads.toSorted()).toEqual(CODES.map(({ code }) => code).toSorted())
  })

  test('every exit code is described', () => {
    for (const code of Object.values(EXIT)) expect(PAGES['docs/cli.md']).toContain(`\n| ${code} | `)
  })

  test('every command has its heading', () => {
    const heads = [...(PAGES['docs/cli.md'] ?? '').matchAll(/^## (berth.*)$/gm)].map((match) => match[1])
    expect(heads).toContain('berth plan')
    expect(heads).toContain('berth offers search')
  })
})
