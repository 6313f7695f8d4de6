import type { Score } from './score.ts'

/** The cheapest that fits scores 1, twice its price 0.5. */
export const price: Score = {
  name: 'price',
  rewards: 'a low price an hour, relative to the cheapest offer that fits',
  of: ({ usdPerHour }, { usdPerHourMin }) => (usdPerHour <= 0 ? 1 : usdPerHourMin / usdPerHour),
}
