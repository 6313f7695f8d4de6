import { expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { PLAIN_VAULT } from './story.suite.ts'
import type { ControllerDeps } from './deps.ts'
import { Hand } from './hand.suite.ts'
import { Leadership } from './leadership.ts'
import { ProviderGates } from './provider-gates.ts'
import { TUNING } from './tuning.ts'

test('a leadership that is over waits for its lease no longer', async () => {
  const hand = new Hand()
  const waits = new Set<number>()
  const timers: ControllerDeps['timers'] = {
    sleep: async (ms, signal) => {
      waits.add(ms)
      await hand.deps.timers.sleep(ms, signal)
      waits.delete(ms)
    },
  }
  const store = memoryStore(hand.deps.clock)
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const deps: ControllerDeps = {
    ...hand.deps,
    timers,
    store,
    log: quiet,
    vault: PLAIN_VAULT,
    platform: () => ({ providers: new Map(), config: undefined }),
    owner: 'us',
    holder: 'one',
  }
  const leadership = new Leadership(deps, {
    number: 1,
    heldUntilMs: 3000,
    tuning: TUNING,
    gates: new ProviderGates(deps),
  })
  leadership.keep(new AbortController().signal)
  expect([...waits]).toEqual([TUNING.renewMs, 3000])
  leadership.end('enough')
  await hand.pass(0)
  expect([...waits]).toEqual([TUNING.renewMs])
})
