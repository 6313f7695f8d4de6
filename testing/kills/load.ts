import { UserError } from '../../src/core/base/problem.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { Register, REPLICAS, type Ending, type Wish } from './model.ts'
import { sleep } from '../plane/plane.ts'

/** Answers that say for sure that nothing was done. Whatever else goes wrong, the request may have been carried out. */
const REFUSALS = new Set(['NOT_FOUND', 'WORKLOAD_LEAVING'])

export interface LoadSetup {
  /** Created for each request, because the control plane comes and goes. */
  readonly client: () => Berth
  readonly workloads: number
  /** Requests under way at once. */
  readonly workers: number
  readonly project: string
  /** Pause between two requests of a worker. */
  readonly restMs?: number
  /** Whether every second workload runs as processes of this host. Left out: no. */
  readonly processes?: boolean
}

export interface LoadCounts {
  readonly requests: number
  readonly byEnding: Readonly<Record<Ending, number>>
  /** Why outcomes are unknown, by code. */
  readonly unknown: Readonly<Record<string, number>>
}

/** Clients that apply, scale, stop and remove all the time, and remember every answer. */
export class Load {
  readonly registers = new Map<string, Register>()
  /** What cannot be after the answers that came. */
  readonly wrong: string[] = []
  readonly #setup: LoadSetup
  readonly #busy = new Set<string>()
  readonly #byEnding: Record<Ending, number> = { done: 0, refused: 0, unknown: 0 }
  readonly #unknown: Record<string, number> = {}
  #texts = 0
  #isOn = false
  #workers: Promise<unknown> = Promise.resolve()

  constructor(setup: LoadSetup) {
    this.#setup = setup
    for (let at = 0; at < setup.workloads; at++) this.registers.set(`load-${at}`, new Register())
  }

  begin(): void {
    this.#isOn = true
    this.#workers = Promise.all(Array.from({ length: this.#setup.workers }, () => this.#work()))
  }

  /** Ends when every request that was under way has ended for its client. */
  async end(): Promise<void> {
    this.#isOn = false
    await this.#workers
  }

  get counts(): LoadCounts {
    const { done, refused, unknown } = this.#byEnding
    return { requests: done + refused + unknown, byEnding: { ...this.#byEnding }, unknown: { ...this.#unknown } }
  }

  async #work(): Promise<void> {
    while (this.#isOn) {
      const idle = [...this.registers].filter(([name]) => !this.#busy.has(name))
      const chosen = idle[Math.floor(Math.random() * idle.length)]
      if (chosen !== undefined) await this.#ask(...chosen)
      await sleep(this.#setup.restMs ?? 5)
    }
  }

  /** One request at a time for each workload: otherwise the expected outcome would be unknown. */
  async #ask(name: string, register: Register): Promise<void> {
    this.#busy.add(name)
    const wish = this.#draw(name)
    const ending = await this.#send(name, wish)
    this.#byEnding[ending]++
    const before = JSON.stringify(register.may)
    if (!register.ended(wish, ending)) {
      this.wrong.push(`${name}: ${wish.kind} was ${ending}, but it stood as ${before}: ${register.story.join(', ')}`)
      this.registers.set(name, new Register())
    }
    this.#busy.delete(name)
  }

  #draw(name: string): Wish {
    const chance = Math.random()
    if (chance < 0.55) return { kind: 'apply', text: manifestOf(name, ++this.#texts, this.#policyOf(name)) }
    if (chance < 0.75) return { kind: 'scale', replicas: Math.floor(Math.random() * 4) }
    return { kind: chance < 0.87 ? 'stop' : 'remove' }
  }

  #policyOf(name: string): 'pretend' | 'at-home' {
    return this.#setup.processes === true && Number(name.slice('load-'.length)) % 2 === 1 ? 'at-home' : 'pretend'
  }

  async #send(name: string, wish: Wish): Promise<Ending> {
    const { project } = this.#setup
    const at = { project, name }
    try {
      const berth = this.#setup.client()
      if (wish.kind === 'apply') {
        const idempotencyKey = `${name}-${Math.random()}`
        await berth.apply({ project, text: wish.text, file: `${name}.yaml`, idempotencyKey })
      } else if (wish.kind === 'scale') await berth.scale({ ...at, role: undefined, replicas: wish.replicas })
      else if (wish.kind === 'stop') await berth.stop(at)
      else await berth.remove(at)
      return 'done'
    } catch (error) {
      const code = error instanceof UserError ? (error.problems[0]?.code ?? 'none') : errorName(error)
      if (REFUSALS.has(code)) return 'refused'
      this.#unknown[code] = (this.#unknown[code] ?? 0) + 1
      return 'unknown'
    }
  }
}

/** A small service; the number makes its text, and what it is started with, another one. */
export function manifestOf(name: string, number: number, policy = 'pretend'): string {
  return `berth: v1
kind: service
name: ${name}
image: busybox
command: [sleep, '100000']
env: { NUMBER: '${number}' }
resources: ${policy === 'pretend' ? '{ cpu: 1, memory: 1Gi }' : '{ cpu: 0.01, memory: 8Mi }'}
policy: ${policy}
replicas: ${REPLICAS}
`
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.constructor.name : 'unknown'
}
