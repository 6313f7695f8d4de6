import { expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

test('berth fleet lists what can be done with a fleet', async () => {
  const { code, out } = await berth(words('fleet --help'))
  expect(code).toBe(EXIT.ok)
  expect(out).toContain('show [options] <file> [node]')
})

test('berth fleet show --help has an example for each way to use it', async () => {
  const { out } = await berth(words('fleet show --help'))
  expect(out).toContain('berth fleet show examples/fleets/harbor.yaml\n')
  expect(out).toContain('berth fleet show examples/fleets/harbor.yaml dgx-01\n')
})
