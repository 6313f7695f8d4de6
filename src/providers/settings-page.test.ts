import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProviderKind } from '../ports/provider.ts'
import { PROVIDER_KINDS } from './registry.ts'
import { problemText, readSettings } from './settings.ts'
import { FATES } from './sim/whims.ts'

const ROOT = join(import.meta.dirname, '../..')

const PAGE = readFileSync(join(ROOT, 'docs/providers.md'), 'utf8')

/** Names in the first column of a kind's table. */
function documented(kind: string): readonly string[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${kind}:`)) ?? ''
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name).sort()
}

/** The settings that a reader lists when it is given an unknown one. */
function known(kind: ProviderKind): readonly string[] {
  const answer = readSettings(kind, { zzzzzzzz: 1 })
  const list = answer.ok ? '' : (/settings are (.*)$/.exec(answer.problems.map(problemText).join(' '))?.[1] ?? '')
  return list.split(', ').sort()
}

test.each(PROVIDER_KINDS.map((kind) => [kind.kind, kind] as const))(
  'every setting of %s is documented, and no other',
  (name, kind) => {
    expect(documented(name)).toEqual(known(kind))
  },
)

test('every fault that can be asked for is documented', () => {
  for (const fate of FATES.filter((one) => one !== 'answered')) expect(PAGE).toContain(`\`${fate}\``)
})
