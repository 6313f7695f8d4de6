import { describe, expect, test } from 'vitest'
import { UserError } from './problem.ts'

describe('an error the user can fix', () => {
  test('carries every problem and says them line by line', () => {
    const problems = [
      { code: 'POLICY_UNKNOWN', message: 'There is no policy called fast.' },
      { code: 'POLICY_UNKNOWN', message: 'There is no policy called slow.' },
    ] as const
    const error = new UserError(problems)
    expect(error).toBeInstanceOf(Error)
    expect(error.problems).toBe(problems)
    expect(error.message).toBe(
      'POLICY_UNKNOWN: There is no policy called fast.\nPOLICY_UNKNOWN: There is no policy called slow.',
    )
  })
})
