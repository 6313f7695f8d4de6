import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran } from '../harness.suite.ts'
import type { TestPlane } from '../plane.suite.ts'
import { emptyPlane, furnishedPlane } from '../planes.suite.ts'

const BIG = MANIFEST.replace('name: llama-70b', 'name: big').replace('count: 4', 'count: 64')
const files = { 'w.yaml': MANIFEST, 'big.yaml': BIG }

function apply(line: string, control: TestPlane): Promise<Ran> {
  return berth(['apply', ...words(line)], { files, control: () => control })
}

describe('what only a user can change', () => {
  test('where waiting does not help, says so at once, keeps it, and ends with 2', async () => {
    const control = emptyPlane()
    const sinceMs = control.nowMs()
    const { code, out } = await apply('big.yaml --yes --queue', control)
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toMatch(
      /\nbig is not up: \d offers? turned down: .*\. It stays wanted, but waiting alone does not help\.\n/,
    )
    expect(control.nowMs() - sinceMs).toBeLessThan(5000)
    expect(await control.workload({ project: 'default', name: 'big' })).toMatchObject({ want: 'running' })
  })

  test('what may run at a provider that is not configured is said at once, and ends with 4', async () => {
    const control = furnishedPlane()
    await control.rewrite('llama-70b', {
      slot: ({ order }) => ({ order: { ...order, place: { ...order.place, provider: 'elsewhere' } } }),
    })
    const sinceMs = control.nowMs()
    const { code, out } = await apply('w.yaml --yes', control)
    expect(code).toBe(EXIT.notDone)
    expect(out).toContain('llama-70b is not up: unknown: its provider elsewhere is not configured: ')
    expect(control.nowMs() - sinceMs).toBeLessThan(5000)
  })

  test.each(['SECRET_MISSING', 'SECRET_RESERVED'])('a wait for a secret (%s) ends at once with 4', async (code) => {
    const control = furnishedPlane()
    const waiting = { sinceMs: 0, code, text: 'it needs the secret X', nextLookMs: 0 }
    await control.rewrite('llama-70b', { status: { waiting }, slot: () => ({ phase: 'reserved' }) })
    const sinceMs = control.nowMs()
    const ran = await apply('w.yaml --yes', control)
    expect([ran.code, ran.out]).toEqual([EXIT.notDone, expect.stringContaining('llama-70b is not up: starting: ')])
    expect(control.nowMs() - sinceMs).toBeLessThan(5000)
  })
})
