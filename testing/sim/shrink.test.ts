import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ControllerDeps } from '../../src/controller/deps.ts'
import { Controller } from '../../src/controller/controller.ts'
import type { Answer, Launched, Provider } from '../../src/ports/provider.ts'
import type { FaultEvent } from './faults.ts'
import { drawScenario, type Scenario } from './scenario.ts'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { simulate } from './simulate.ts'

/** The real controller behind providers that call a lost answer a refusal: what a careless adapter might do. */
function careless(deps: ControllerDeps): Controller {
  const wrap = (provider: Provider): Provider => ({
    ...provider,
    launch: (order, call) =>
      provider.launch(order, call).catch((): Answer<Launched> => {
        return { ok: false, fault: { class: 'SOLD_OUT', message: 'must have been sold out' } }
      }),
  })
  const known = new WeakMap<Provider, Provider>()
  const once = (provider: Provider): Provider => {
    const wrapped = known.get(provider) ?? wrap(provider)
    known.set(provider, wrapped)
    return wrapped
  }
  return new Controller({
    ...deps,
    platform: () => {
      const { providers, config } = deps.platform()
      const record = [...providers].map(([name, each]) => [name, { ...each, provider: once(each.provider) }] as const)
      return { providers: new Map(record), config }
    },
  })
}

async function breaks(scenario: Scenario, faults: readonly FaultEvent[]): Promise<boolean> {
  const { violations } = await simulate({ ...scenario, faults }, { make: careless })
  return violations.some(({ invariant }) => invariant === 'I1' || invariant === 'I5')
}

test.runIf(IS_WHOLE)('a schedule that breaks something shrinks to the few faults that matter', async () => {
  // Leaving out faults one by one ends where no single one can be left out. From here on, the first schedule that breaks ends at few.
  let scenario = drawScenario(14)
  for (let seed = 15; seed < 60 && !(await breaks(scenario, scenario.faults)); seed++) scenario = drawScenario(seed)
  expect(scenario.faults.length).toBeGreaterThan(3)

  const plans = fc.subarray([...scenario.faults], { minLength: scenario.faults.length - 1 })
  const all = fc.constant([...scenario.faults])
  const property = fc.asyncProperty(fc.oneof(all, plans), async (plan) => !(await breaks(scenario, plan)))
  const found = await fc.check(property, { numRuns: 5, seed: 1 })
  expect(found.failed).toBe(true)

  // Shrunk by leaving out halves, quarters and so on down to single ones, until none can be: what mattered while others
  // were there may not without them.
  let least = [...scenario.faults]
  for (let size = Math.ceil(least.length / 2); size >= 1;) {
    const before = least.length
    for (let from = 0; from < least.length; from += size) {
      const fewer = least.toSpliced(from, size)
      if (await breaks(scenario, fewer)) least = fewer
    }
    if (least.length === before) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  expect(least.length).toBeLessThanOrEqual(3)
  expect(await breaks(scenario, JSON.parse(JSON.stringify(least)))).toBe(true)
})
