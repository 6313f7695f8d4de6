import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Departures } from './departures.ts'

test('departures come by time, and at the same time in the order in which they were added', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (times) => {
      const departures = new Departures<number>()
      times.forEach((atS, index) => departures.add(atS, index))
      const taken = times.map(() => {
        const atS = departures.nextS
        return { atS, index: departures.take() }
      })
      const expected = times
        .map((atS, index) => ({ atS, index }))
        .sort((one, two) => one.atS - two.atS || one.index - two.index)
      expect(taken).toEqual(expected)
      expect(departures.nextS).toBe(Infinity)
    }),
  )
})

test('nothing can be taken where nothing leaves', () => {
  expect(() => new Departures().take()).toThrow('there is a next departure')
})
