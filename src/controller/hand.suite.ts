import { CAN, type Can, type Provider } from '../ports/provider.ts'
import { Loop } from './loop.suite.ts'
import { Process } from './process.suite.ts'
import type { GateDeps } from './provider-gate.ts'

/** Time that passes only when a test says so, and a process that lives in it. */
export class Hand {
  readonly loop: Loop
  readonly process: Process

  constructor(seed = 1) {
    this.loop = new Loop(seed)
    this.process = new Process(this.loop, { name: 'hand', seed, skewMs: 0 })
  }

  get deps(): GateDeps {
    const { clock, timers, random } = this.process
    return { clock, timers, random }
  }

  get nowMs(): number {
    return this.loop.nowMs
  }

  /** Lets time pass, with everything that happens in it. */
  async pass(ms: number): Promise<void> {
    await this.loop.run(this.loop.nowMs + ms, () => false)
  }
}

/** A provider of which only the abilities count: callers bring the answers along. */
export function silentProvider(can: Partial<Can> = {}, name = 'north'): Provider {
  const never = (): Promise<never> => new Promise(() => undefined)
  return {
    name,
    kind: 'silent',
    can: { ...CAN, ...can },
    offers: never,
    launch: never,
    describe: never,
    list: never,
    stop: never,
  }
}
