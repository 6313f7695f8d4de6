import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'

test('takes its time', async () => {
  await setTimeout(700)
  expect(1).toBe(1)
})
