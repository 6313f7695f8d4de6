import { expect, test } from 'vitest'
import { fuzz } from './fuzz.suite.ts'

test('5,000 malformed requests bring nothing down: each is answered, none with a failure of the server', async () => {
  const { wrong, byStatus, requests } = await fuzz(5000, 17)
  expect(wrong).toEqual([])
  expect(requests).toBe(5000)
  // They reach all the way in: some are refused by every stage, and some are fine by chance.
  for (const status of ['200', '400', '401', '403', '404', '405', '415', '421', '422']) {
    expect({ status, count: byStatus[status] ?? 0 }).not.toEqual({ status, count: 0 })
  }
}, 60_000)
