import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCards } from './card-mask.ts'
import { chooseCards } from './choose-cards.ts'
import { crosses } from './choose-cards.suite.ts'
import { randomLayout } from './layouts.suite.ts'
import { oracleOf } from './oracle.suite.ts'

const free = fc.integer({ min: 0, max: 2 ** 16 - 1 })
const count = fc.integer({ min: 1, max: 10 })

describe('whatever the wiring', () => {
  test('the cards chosen are free, as many as asked for, and as fast as any', () => {
    fc.assert(
      fc.property(
        randomLayout({ cardsMax: 10 }),
        fc.array(fc.tuple(free, count), { maxLength: 20 }),
        (layout, asked) => {
          const oracle = oracleOf(layout)
          for (const [mask, size] of asked) {
            const open = mask & (2 ** layout.cards - 1)
            const set = chooseCards(layout, mask, size)
            const best = oracle.best([open], size)
            expect(set & ~open).toBe(0)
            expect(countCards(set)).toBe(best === undefined ? 0 : size)
            if (best === undefined) continue
            expect(oracle.speed(set).slowest).toBe(best.slowest)
            expect(oracle.speed(set).total).toBeCloseTo(best.total, 6)
          }
        },
      ),
    )
  })

  test('an empty node crosses nothing, and more free cards never cross more', () => {
    fc.assert(
      fc.property(randomLayout({ cardsMax: 8 }), free, free, (layout, some, more) => {
        for (let size = 1; size <= layout.cards; size++) {
          expect(crosses(layout, chooseCards(layout, 2 ** layout.cards - 1, size))).toBe(0)
          const set = chooseCards(layout, some, size)
          if (set === 0) continue
          expect(crosses(layout, chooseCards(layout, some | more, size))).toBeLessThanOrEqual(crosses(layout, set))
        }
      }),
    )
  })

  test('asking twice, or asking for what was chosen, gives the same cards', () => {
    fc.assert(
      fc.property(randomLayout({ cardsMax: 10 }), free, count, (layout, mask, size) => {
        const set = chooseCards(layout, mask, size)
        expect(chooseCards(layout, mask, size)).toBe(set)
        expect(chooseCards(layout, set, size)).toBe(set)
      }),
    )
  })
})
