import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { noRaces } from './waits.ts'

const RACE = 'await Promise.race([answer, late])'

test('a race of promises is found in shipped code', () => {
  expect(noRaces([sourceOf('src/service/a.ts', `\n${RACE}`)])).toEqual([
    'src/service/a.ts:2 races promises instead of using src/ports/deadline.ts',
  ])
})

test('deadlines race, and so may tests; what is only called so is no race', () => {
  const elsewhere = ['src/ports/deadline.ts', 'src/service/a.test.ts', 'testing/sim/a.ts'].map((path) =>
    sourceOf(path, RACE),
  )
  expect(
    noRaces([...elsewhere, sourceOf('src/service/b.ts', "const race = Promise.all(cars); 'Promise.race'")]),
  ).toEqual([])
})
