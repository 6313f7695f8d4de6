import type { ControllerDeps } from '../../src/controller/deps.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'
import { Process } from '../../src/controller/process.suite.ts'

/** What runs inside a process of the world: the real controller, or one that a test wants to see caught. */
export interface Controller {
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly poke: () => void
  /** Workloads that it has looked at since it last began to lead. */
  readonly reconciles?: number
}

export type MakeController = (deps: ControllerDeps) => Controller

export interface PlaneParts {
  readonly loop: Loop
  readonly index: number
  readonly seed: number
  readonly make: MakeController
  readonly deps: (process: Process) => ControllerDeps
  /** A process was started, killed, paused or woken. */
  readonly stirred: () => void
  /** It ended by itself, which it must not. */
  readonly failed: (why: string) => void
  /** How long a turn of a process has taken by now. */
  readonly tookMs: (name: string, ms: number) => void
}

/** One control plane: a process at a time, started again after each death. */
export class Plane {
  readonly #parts: PlaneParts
  #process: Process | undefined
  #controller: Controller | undefined
  #lives = 0
  #skewMs = 0

  constructor(parts: PlaneParts) {
    this.#parts = parts
  }

  get process(): Process | undefined {
    return this.#process
  }

  get lives(): number {
    return this.#lives
  }

  start(): void {
    const { loop, index, seed, make, deps, stirred, failed, tookMs } = this.#parts
    if (this.#process?.isAlive === true) return
    const name = `p${index}l${++this.#lives}`
    const process = new Process(loop, {
      name,
      seed: seed * 31 + index * 7 + this.#lives,
      skewMs: this.#skewMs,
      plane: index,
    })
    this.#process = process
    const controller = make(deps(process))
    this.#controller = controller
    process.workAt({ looks: () => controller.reconciles ?? 0, tookMs: (ms) => tookMs(name, ms) })
    loop.note(`start ${name}`)
    stirred()
    loop.awake()
    const ended = (why: string): void => {
      if (process.isAlive) failed(`${name}: ${why}`)
    }
    controller.run(new AbortController().signal).then(
      () => ended('the controller ended'),
      (error: unknown) => ended(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    )
  }

  kill(): void {
    if (this.#process?.isAlive !== true) return
    this.#parts.loop.note(`kill ${this.#process.name}`)
    this.#process.kill()
    this.#controller = undefined
    this.#parts.stirred()
  }

  pause(): void {
    this.#parts.loop.note(`pause ${this.#process?.name}`)
    this.#process?.pause()
    this.#parts.stirred()
  }

  wake(): void {
    this.#parts.loop.note(`wake ${this.#process?.name}`)
    this.#process?.wake()
    this.#parts.stirred()
  }

  jump(ms: number): void {
    this.#skewMs += ms
    this.#process?.jump(ms)
  }

  /** A hint; one that is asleep hears it later, and a dead one never. */
  poke(): void {
    const controller = this.#controller
    if (controller !== undefined) this.#process?.deliver(() => controller.poke())
  }
}
