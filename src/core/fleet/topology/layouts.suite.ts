import fc from 'fast-check'
import type { Layout } from '../layout.ts'
import { wire } from './wire.ts'

/** Cards with random wiring, some of it unknown. */
export function randomLayout({ cardsMax }: { readonly cardsMax: number }): fc.Arbitrary<Layout> {
  const place = fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined })
  return fc
    .record({
      cards: fc.integer({ min: 1, max: cardsMax }),
      gbps: fc.array(fc.constantFrom(0, 14.0625, 20.8, 50, 300), {
        minLength: cardsMax * cardsMax,
        maxLength: cardsMax * cardsMax,
      }),
      numa: fc.array(place, { minLength: cardsMax, maxLength: cardsMax }),
      pcieSwitch: fc.array(place, { minLength: cardsMax, maxLength: cardsMax }),
      nics: fc.array(fc.record({ name: fc.constant('nic'), numa: place, pcieSwitch: place }), { maxLength: 3 }),
    })
    .map(({ cards, gbps, numa, pcieSwitch, nics }) =>
      wire({
        kind: 'random',
        cards,
        gbps: (one, two) => gbps[one * cardsMax + two] ?? 0,
        numa: (card) => numa[card],
        pcieSwitch: (card) => pcieSwitch[card],
        nics,
      }),
    )
}
