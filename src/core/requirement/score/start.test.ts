import { describe, expect, test } from 'vitest'
import { inState } from './candidate.suite.ts'
import { start } from './start.ts'

describe('the start score', () => {
  test('halves at a minute', () => {
    expect(inState(start, { startSeconds: 0 })).toBe(1)
    expect(inState(start, { startSeconds: 60 })).toBe(0.5)
    expect(inState(start, { startSeconds: 180 })).toBe(0.25)
  })

  test('is in the middle where nothing was measured', () => {
    expect(inState(start, { startSeconds: undefined })).toBe(0.5)
  })
})
