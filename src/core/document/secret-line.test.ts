import { expect, test } from 'vitest'
import { isSecretLine } from './secret-line.ts'
import { cpuMs } from '../base/cpu.suite.ts'

test.each([
  ['password: x', true],
  ['  my-api-key : x', true],
  ['{ a: 1, DB_PASSWORD: x }', true],
  ['"access_key_id": x', true],
  ['secrets:', true],
  ['tokens_per_second: 5', true],
  ['auth: x', true],
  ['basic_auth: x', true],
  ['Authorization: x', true],
  ['SENTRY_DSN: x', true],
  ['dsn: postgres://u:x@h/', true],
  ['url: postgres://u:p/x@h/', true],
  ['author: x', false],
  ['wordsn: x', false],
  ['url: https://h/path', false],
  ['mail: a@b', false],
  ['image: acme/password', false],
  ['- secret', false],
])('%j sounds like a secret: %j', (line, verdict) => {
  expect(isSecretLine([line], 1)).toBe(verdict)
})

test('a long line with many problems is looked at once, and in no time', () => {
  const lines = [
    `{ command: ["${'x'.repeat(250_000)}"] }`,
    `a: ${'pass'.repeat(60_000)}`,
    `b: "${' '.repeat(250_000)}"`,
    `c: ${'://'.repeat(80_000)}`,
  ]
  const beganMs = cpuMs()
  for (let problem = 0; problem < 3000; problem++) expect(isSecretLine(lines, 1 + (problem % 4))).toBe(false)
  // It took minutes when each of the problems looked at the whole line from each of its letters.
  expect(cpuMs() - beganMs).toBeLessThan(2000)
})
