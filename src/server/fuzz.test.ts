import { expect, test } from 'vitest'
import { fuzz } from './fuzz.suite.ts'
import { sized } from '../core/base/laws.suite.ts'

const REQUESTS = sized({ quick: 1500, whole: 5000 })

test(`${REQUESTS} malformed requests bring nothing down: each is answered, none with a failure of the server`, async () => {
  const { wrong, byStatus, requests } = await fuzz(REQUESTS, 17)
  expect(wrong).toEqual([])
  expect(requests).toBe(REQUESTS)
  // They reach all the way in: some are refused by every stage, and some are fine by chance.
  const rare = sized({ quick: [], whole: ['422'] })
  for (const status of ['200', '400', '401', '403', '404', '405', '415', '421', ...rare]) {
    expect({ status, count: byStatus[status] ?? 0 }).not.toEqual({ status, count: 0 })
  }
}, 60_000)
