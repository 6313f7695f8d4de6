import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PLANE_FLAGS } from '../bench.ts'
import type { Order } from './plane.ts'

/** A control plane in a process of its own. */
export class PlaneChild {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  static async start(): Promise<PlaneChild> {
    const child = fork(join(import.meta.dirname, 'plane.ts'), { execArgv: [...PLANE_FLAGS] })
    const [first] = await once(child, 'message')
    return new PlaneChild(child, first.port)
  }

  /** Orders are given one after the other. */
  async ask<T>(order: Order): Promise<T> {
    const answered = once(this.#child, 'message')
    this.#child.send(order)
    return (await answered)[0].value
  }

  /** How much of one processor it uses over this time, in percent. */
  async load(ms: number): Promise<number> {
    const before = await this.ask<Use>({ kind: 'cpu' })
    await new Promise((resolve) => setTimeout(resolve, ms))
    const after = await this.ask<Use>({ kind: 'cpu' })
    return (100 * (after.cpuMs - before.cpuMs)) / (after.atMs - before.atMs)
  }

  async end(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.disconnect()
    await gone
  }
}

interface Use {
  readonly cpuMs: number
  readonly atMs: number
}
