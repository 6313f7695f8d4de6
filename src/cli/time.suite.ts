import { setImmediate as turn } from 'node:timers/promises'
import { Loop, START_MS } from '../controller/loop.suite.ts'
import { Process } from '../controller/process.suite.ts'

/** Turns of the event loop after which nothing more happens at this moment by itself. */
const QUIET_TURNS = 50

/** Time that goes on only while somebody waits for something, and then as fast as it can. */
export class PlaneTime {
  readonly process: Process
  readonly #loop = new Loop(1)
  #sleepers = 0
  #held = 0
  #isRunning = false

  constructor(startMs: number) {
    this.process = new Process(this.#loop, { name: 'plane', seed: 1, skewMs: startMs - START_MS })
  }

  nowMs(): number {
    return this.process.clock.nowMs()
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.#sleepers++
    void this.#run()
    await this.process.timers.sleep(ms, signal)
    this.#sleepers--
  }

  /** Somebody waits for an answer, until the function is called. */
  hold(): () => void {
    this.#held++
    void this.#run()
    return () => void this.#held--
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    let quiet = 0
    while (this.#sleepers + this.#held > 0) {
      await turn()
      const before = this.#loop.events
      await this.#loop.run(this.#loop.nowMs, () => false)
      quiet = this.#loop.events > before ? 0 : quiet + 1
      // An answer that is being made takes no time; only who waits for something later moves the clock.
      if (quiet < (this.#held > 0 ? QUIET_TURNS : 1)) continue
      const { nextMs } = this.#loop
      if (nextMs !== undefined) await this.#loop.run(nextMs, () => false)
    }
    this.#isRunning = false
  }
}
