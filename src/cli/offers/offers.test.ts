import { expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth } from '../harness.suite.ts'

test('berth offers alone tells what can be done with offers', async () => {
  const { code, out, err } = await berth(['offers'])
  expect(code).toBe(EXIT.usage)
  expect(out).toBe('')
  for (const name of ['list', 'search', 'check', 'import']) expect(err).toContain(`\n  ${name} [options]`)
})

test('an unknown one gets a suggestion', async () => {
  const { code, err } = await berth(['offers', 'lst'])
  expect(code).toBe(EXIT.usage)
  expect(err).toContain("unknown command 'lst'\n(Did you mean list?)")
})
