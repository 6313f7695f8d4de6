import { describe, expect, test } from 'vitest'
import { bestFit } from './best-fit.ts'
import { fgd } from './fgd.ts'
import { stranding } from './stranding.ts'
import { bothStories } from './world.suite.ts'
import { times } from '../../base/laws.suite.ts'

const FLEETS = times(400)

describe('the fast engine', () => {
  test.each([
    ['stranding', stranding],
    ['fgd', fgd],
    ['best-fit', bestFit],
  ])('finds the very spots that the reference finds, by %s', (_, policy) => {
    for (let seed = 0; seed < FLEETS; seed++) {
      const [fast, slow] = bothStories(seed, { policy })
      expect(fast, `seed ${seed}`).toEqual(slow)
    }
  })
})
