import { describe, expect, test } from 'vitest'
import { need } from './facts.suite.ts'
import { no, unknown } from '../reason.ts'
import { withGpu } from './gpu-need.ts'

describe('reasons as data', () => {
  test('a plain no says what was wanted and what was found', () => {
    expect(no('TOO_SMALL', '80Gi', '48Gi')).toEqual({ code: 'TOO_SMALL', wanted: '80Gi', found: '48Gi' })
  })

  test('an unknown found nothing', () => {
    expect(unknown('NOT_TOLD', '80Gi')).toStrictEqual({ code: 'NOT_TOLD', wanted: '80Gi', found: undefined })
  })

  test('changing what a GPU must be, where none is asked for, is a bug', () => {
    expect(() => withGpu(need(), {})).toThrow('only a need for GPUs has GPU requirements to change')
  })
})
