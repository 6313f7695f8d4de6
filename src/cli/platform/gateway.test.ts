import { expect, test } from 'vitest'
import { berth, words } from '../harness.suite.ts'

test('its flags have examples, and its subcommands too', async () => {
  const { code, out } = await berth(words('gateway --help'))
  expect([code, out]).toEqual([0, expect.stringContaining('berth gateway --listen 127.0.0.1:7800')])
  expect((await berth(words('gateway stop --help'))).out).toContain('after what is under way')
})

test('it is run, asked and stopped by the program that has it', async () => {
  for (const line of ['gateway --listen 127.0.0.1:7801', 'gateway status -o json', 'gateway stop']) {
    expect((await berth(words(line))).code).toBe(0)
  }
})
