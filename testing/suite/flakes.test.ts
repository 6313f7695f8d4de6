import { expect, test } from 'vitest'
import { tellFlakes } from './flakes.ts'

test('a run without flakes is not spoken of', () => {
  expect(tellFlakes([])).toBeUndefined()
})

test('each flake is named, with the first line of what went wrong', () => {
  const one = { name: 'a.test.ts > waits', why: 'expected 1 to be 2\n- 2\n+ 1' }
  const two = { name: 'b.test.ts > runs', why: undefined }
  expect(tellFlakes([one])?.split('\n')).toEqual([
    '1 test passed only at the second try. Find out what the first one depended on, and mend it:',
    '  FLAKY a.test.ts > waits',
    '        expected 1 to be 2',
  ])
  expect(tellFlakes([one, two])).toMatch(/^2 tests passed only [^]*FLAKY b\.test\.ts > runs$/)
})
