import { UserError } from '../core/base/problem.ts'
import type { Outside } from './cli.ts'

/** Stands in where there is no outside world: no variable is set, no control plane answers, nothing waits. */
export const OFFLINE: Outside = {
  berth: () => {
    const message = 'No control plane can be reached from here.'
    throw new UserError([{ code: 'CONTROL_PLANE_UNREACHABLE', message, hint: 'Start one with `berth up`.' }])
  },
  env: () => undefined,
  prompt: undefined,
  interrupt: () => new AbortController().signal,
  timers: { sleep: () => Promise.resolve() },
  saveSecret: () => false,
  every: () => () => {},
  random: { next: () => 0, id: () => '0' },
  here: { keyboard: undefined, listen: async () => 'EPERM', walk: () => undefined },
  gateway: () => {
    const message = 'A gateway cannot be started from here.'
    throw new UserError([{ code: 'CONTROL_PLANE_FAILED', message, hint: 'Start it with bin/berth gateway.' }])
  },
  up: () => {
    const message = 'A control plane cannot be started from here.'
    throw new UserError([{ code: 'CONTROL_PLANE_FAILED', message, hint: 'Start it with bin/berth up.' }])
  },
}
