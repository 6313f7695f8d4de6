import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Provider } from '../../ports/provider.ts'
import { access } from './access.suite.ts'
import { group } from './group.suite.ts'
import { identity } from './identity.suite.ts'
import { lifecycle } from './lifecycle.suite.ts'
import type { Bench, Gap, Sentence } from './bench.suite.ts'

export { ownersUsed, type Bench, type Gap, type Sample } from './bench.suite.ts'

/**
 * What every provider of `berth.provider/v2` must do. What a provider cannot do is declared as a gap with its reason. A gap
 * that no longer exists fails, and so does one that names no test.
 */
export function providerContract(name: string, open: () => Promise<Bench>, gaps: readonly Gap[] = []): void {
  const sentences = [...lifecycle, ...identity, ...group, ...access]

  describe(`${name} keeps the contract of providers`, () => {
    let bench: Bench
    beforeEach(async () => {
      bench = await open()
    })
    afterEach(async () => {
      await bench.cleanup()
    }, 60_000)

    for (const sentence of sentences) {
      const gap = gaps.find((gap) => gap.test === sentence.says)
      const title = gap === undefined ? sentence.says : `${sentence.says} (a gap: ${gap.because})`
      const run = gap === undefined ? test : test.fails
      run(title, async (context) => {
        const without = missing(sentence, bench.provider)
        if (without !== undefined) return context.skip(`it does not offer ${without}`)
        await sentence.holds(bench)
      })
    }

    test('every declared gap names a test and a reason', () => {
      const names = sentences.map(({ says }) => says)
      expect(gaps.filter(({ test, because }) => !names.includes(test) || because.trim() === '')).toEqual([])
    })
  })
}

/** The capability that a sentence is about and that the provider does not have. */
function missing({ about }: Sentence, { can }: Provider): string | undefined {
  return about === undefined || can[about] ? undefined : about
}
