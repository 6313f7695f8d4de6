import { runOf, type PretendRun } from '../../src/providers/sim/run-of.ts'
import type { Answering, Sockets } from './sockets.ts'

/** What an order to a pretended cloud comes down to, in whatever form it was written. */
export interface FakeOrder {
  readonly name: string
  /** What is bought, by which stock and price are kept. */
  readonly shape: string
  readonly image: string
  readonly env: Readonly<Record<string, string>>
  readonly ports: readonly number[]
  /** The address to listen at; left out: a port of its own on the loopback address for each port. */
  readonly address?: string
  /** The body of the request, to be shown again. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface FakeMachine extends FakeOrder {
  readonly id: string
  readonly serial: number
  readonly createdMs: number
  readonly upMs: number
  readonly usdPerHour: number
  readonly run: PretendRun
  /** Where each port is reached on this host. */
  readonly reached: ReadonlyMap<number, number>
  /** It never comes up. */
  readonly isBroken: boolean
  removedMs: number | undefined
}

/** Why an order is refused, in the words of no cloud. */
export type FakeRefusal = 'sold-out' | 'quota' | 'no-money' | 'wrong'

export type FakeState = 'starting' | 'up' | 'ended' | 'failed' | 'stopping' | 'gone'

/** Sees what is created and removed, before anything else can act on it. */
export interface EngineWatch {
  readonly created: (machine: FakeMachine) => void
  readonly removed: (machine: FakeMachine) => void
  /** One of its ports was asked for this path. */
  readonly asked?: (serial: number, path: string) => void
}

/** The state of a pretended cloud: what it sells, what was bought and what that costs. Its clock is the test's. */
export class CloudEngine {
  readonly machines: FakeMachine[] = []
  /** Machines left of each shape; a shape that is not here never runs out. */
  readonly stock = new Map<string, number>()
  /** By shape; what is not here costs `usdPerHour`. */
  readonly prices = new Map<string, number>()
  usdPerHour = 2
  /** Nothing is left of anything. */
  isEmpty = false
  quota = Infinity
  balance: 'enough' | 'none' = 'enough'
  /** How long lists do not show what was created. */
  listLagMs = 0
  /** The next machine never comes up. */
  breaksNext = false
  /** From the order until it is up, and from the stop until it is gone. */
  startMs = 400
  stopMs = 100
  watch: EngineWatch | undefined
  /** Makes a machine of what a virtual machine was told; undefined: it is pretended. */
  boot: ((machine: FakeMachine) => void) | undefined
  readonly #nowMs: () => number
  readonly #sockets: Sockets
  /** How many addresses were given out, and how many machines were made. */
  #addresses = 0
  #created = 0

  constructor(nowMs: () => number, sockets: Sockets) {
    this.#nowMs = nowMs
    this.#sockets = sockets
  }

  priceOf(shape: string): number {
    return this.prices.get(shape) ?? this.usdPerHour
  }

  left(shape: string): number {
    return this.isEmpty ? 0 : (this.stock.get(shape) ?? Infinity)
  }

  async create(order: FakeOrder): Promise<FakeMachine | FakeRefusal> {
    if (this.balance === 'none') return 'no-money'
    if (order.image === WRONG_IMAGE) return 'wrong'
    if (this.billed().length >= this.quota) return 'quota'
    if (this.left(order.shape) <= 0) return 'sold-out'
    if (this.stock.has(order.shape)) this.stock.set(order.shape, this.left(order.shape) - 1)
    const serial = ++this.#created
    const createdMs = this.#nowMs()
    const isBroken = this.breaksNext
    this.breaksNext = false
    const made = {
      ...order,
      id: `m${serial}x${Math.floor(createdMs % 1e9).toString(36)}`,
      serial,
      createdMs,
      upMs: createdMs + this.startMs,
      usdPerHour: this.priceOf(order.shape),
      run: runOf({ env: order.env, resumeFromMs: undefined }, 0),
      isBroken,
      removedMs: undefined,
    }
    const machine: FakeMachine = {
      ...made,
      reached: await this.#listen(order, (path) => {
        this.watch?.asked?.(serial, path)
        return this.stateOf(machine) === 'up'
      }),
    }
    this.machines.push(machine)
    this.watch?.created(machine)
    return machine
  }

  remove(machine: FakeMachine): void {
    if (machine.removedMs !== undefined) return
    machine.removedMs = this.#nowMs()
    this.watch?.removed(machine)
  }

  find(id: string): FakeMachine | undefined {
    return this.machines.find((machine) => machine.id === id && this.stateOf(machine) !== 'gone')
  }

  /** As a list shows them. */
  listed(): readonly FakeMachine[] {
    return this.machines.filter(
      (machine) => this.stateOf(machine) !== 'gone' && this.#nowMs() >= machine.createdMs + this.listLagMs,
    )
  }

  /** An address that no other machine has. */
  freshAddress(): string {
    return this.#sockets.address(++this.#addresses)
  }

  /** What is paid for: everything that was created and not removed. */
  billed(): readonly FakeMachine[] {
    return this.machines.filter(({ removedMs }) => removedMs === undefined)
  }

  stateOf({ upMs, run, removedMs, isBroken }: FakeMachine): FakeState {
    const nowMs = this.#nowMs()
    if (removedMs !== undefined) return nowMs < removedMs + this.stopMs ? 'stopping' : 'gone'
    if (nowMs < upMs) return 'starting'
    if (isBroken) return 'failed'
    return nowMs >= upMs + run.endsAfterMs ? 'ended' : 'up'
  }

  /** What it printed by now. */
  prints(machine: FakeMachine): readonly string[] {
    const { run, env } = machine
    if (['starting', 'failed'].includes(this.stateOf(machine))) return []
    const { TOKEN } = env
    return [...run.prints, ...(TOKEN === undefined ? [] : [`TOKEN has ${TOKEN.length} characters`])]
  }

  exitCode({ run }: FakeMachine): number {
    return run.exit?.kind === 'code' ? run.exit.code : 0
  }

  close(): Promise<void> {
    return this.#sockets.close()
  }

  /** Every port of a machine that is up answers with 200. */
  async #listen({ ports, address }: FakeOrder, isUp: (path: string) => boolean): Promise<ReadonlyMap<number, number>> {
    const reached = new Map<number, number>()
    for (const port of ports) {
      const at = address === undefined ? { host: '127.0.0.1', port: 0 } : { host: address, port }
      reached.set(port, await this.listen(at, (path) => ({ status: isUp(path) ? 200 : 503, text: 'hello' })))
    }
    return reached
  }

  /** Listens for as long as the cloud is there, and returns the port. */
  listen(at: { readonly host: string; readonly port: number }, answer: Answering): Promise<number> {
    return this.#sockets.listen(at, answer)
  }
}

/** An image that no cloud takes. */
export const WRONG_IMAGE = 'registry.example/wrong:0'
