import { setImmediate as turn } from 'node:timers/promises'
import { Loop, START_MS } from '../controller/loop.suite.ts'
import { Process } from '../controller/process.suite.ts'

/** Turns of all clocks of this thread that are under way. */
let turning = 0

/**
 * Time that goes on only while somebody waits for something, and then as fast as it can. It never goes on while anything
 * is still being done at its present moment, however many turns of the event loop that takes.
 */
export class PlaneTime {
  readonly process: Process
  readonly #loop = new Loop(1)
  readonly #settling: (() => void)[] = []
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

  /** Resolves once everything has happened that happens at this moment. Time stands still meanwhile, unless others wait. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#settling.push(resolve)
      void this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#settling.length + this.#sleepers + this.#held > 0) {
      await this.#quiet()
      const settling = this.#settling.splice(0)
      for (const resolve of settling) resolve()
      const { nextMs } = this.#loop
      // Who was told that all is quiet acts first.
      if (settling.length > 0 || this.#sleepers + this.#held === 0 || nextMs === undefined) continue
      await this.#loop.run(nextMs, () => false)
    }
    this.#isRunning = false
  }

  /** A turn in which nothing happened, after which nothing is left to do in the next one. */
  async #quiet(): Promise<void> {
    for (;;) {
      const before = this.#loop.events
      turning++
      await turn()
      turning--
      await this.#loop.run(this.#loop.nowMs, () => false)
      if (this.#loop.events === before && !isAnythingDue()) return
    }
  }
}

/** Whether anything but the clocks has asked for the next turn, or for something of the file system. */
function isAnythingDue(): boolean {
  const due = process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate' || kind.includes('Req'))
  return due.length > turning
}
