import { expect, test } from 'vitest'
import type { UserError } from '../core/base/problem.ts'
import { mustBeAllowed } from './access.ts'

function hintFor(projects: readonly string[], project: string): string | undefined {
  return hintOf(() => mustBeAllowed({ name: 'wim', role: 'writer', projects }, 'workload.read', project))
}

function hintOf(act: () => void): string | undefined {
  try {
    act()
  } catch (error) {
    return (error as UserError).problems[0]?.hint
  }
  return undefined
}

test('the message names the permission, and the hint names no role above the highest', () => {
  const reader = { name: 'wim', role: 'reader', projects: ['research'] } as const
  expect(() => mustBeAllowed(reader, 'token.read', undefined)).toThrow(
    'wim (reader in research) does not have the permission token.read.',
  )
  expect(hintFor(['research'], 'default')).toContain('the role reader in project default or higher.')
  expect(hintOf(() => mustBeAllowed(reader, 'token.read', undefined))).toBe(
    'This needs a token with the role admin in all projects.',
  )
})

test('a token of another project is told which project to name', () => {
  expect(hintFor(['research'], 'default')).toContain('--project research')
  expect(hintFor(['default'], 'default')).toBeUndefined()
  expect(hintFor([], 'default')).not.toContain('--project')
})
