import { describe, expect, test } from 'vitest'
import { no, unknown } from './reason.ts'

describe('reasons as data', () => {
  test('a plain no says what was wanted and what was found', () => {
    expect(no('TOO_SMALL', '80Gi', '48Gi')).toEqual({ code: 'TOO_SMALL', wanted: '80Gi', found: '48Gi' })
  })

  test('an unknown found nothing', () => {
    expect(unknown('NOT_TOLD', '80Gi')).toStrictEqual({ code: 'NOT_TOLD', wanted: '80Gi', found: undefined })
  })
})
