import { expect, test } from 'vitest'
import type { UserError } from '../core/base/problem.ts'
import { mustBeAllowed } from './access.ts'

function hintFor(projects: readonly string[], project: string): string | undefined {
  try {
    mustBeAllowed({ name: 'wim', role: 'writer', projects }, 'workload.read', project)
  } catch (error) {
    return (error as UserError).problems[0]?.hint
  }
  return undefined
}

test('a token of another project is told which project to name', () => {
  expect(hintFor(['research'], 'default')).toContain('--project research')
  expect(hintFor(['default'], 'default')).toBeUndefined()
  expect(hintFor([], 'default')).not.toContain('--project')
})
