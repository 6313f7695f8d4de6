import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth } from '../harness.suite.ts'

const ROOT = join(import.meta.dirname, '../../..')

const FOLDER = join(ROOT, 'examples')
const NAMES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
const files = Object.fromEntries(NAMES.map((name) => [`examples/${name}`, readFileSync(join(FOLDER, name), 'utf8')]))

test('the demo shows one that fits, one that is passed on and one that cannot fit', async () => {
  const { code, out, err } = await berth(['demo'], { files })
  expect(err).toBe('')
  expect(code).toBe(EXIT.ok)
  expect(out.match(/^── \d of 3 ── .*$/gm)).toHaveLength(3)
  const { out: json } = await berth(['demo', '-o', 'json'], { files })
  const fits = JSON.parse(json).map(({ plan }: { readonly plan: { readonly fits: boolean } }) => plan.fits)
  expect(fits).toEqual([true, true, false])
})
