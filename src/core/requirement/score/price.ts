import type { Score } from './score.ts'

/** The cheapest offer that fits scores 1; an offer at twice that price scores 0.5. */
export const price: Score = {
  name: 'price',
  rewards: 'a low hourly price, relative to the cheapest offer that fits',
  of: ({ usdPerHour }, { usdPerHourMin }) => (usdPerHour <= 0 ? 1 : usdPerHourMin / usdPerHour),
}
