import { aboutMs } from '../core/base/backoff.ts'
import { LATE, within } from '../ports/deadline.ts'
import type { Led } from '../ports/store.ts'
import type { ControllerDeps } from './deps.ts'
import { ProviderGates } from './provider-gates.ts'
import type { ControllerCounts } from './counts.ts'
import { Driver } from './driver.ts'
import { Leadership } from './leadership.ts'
import { TUNING, type ControllerTuning } from './tuning.ts'

export interface ControllerOptions {
  readonly tuning?: ControllerTuning
  /** Left out: it creates its own gates. */
  readonly gates?: ProviderGates
}

/**
 * The controller: one process leads, and makes actual state match desired state. It is built to be killed: it can read again
 * whatever it knows, and when the store fails it discards everything and does so.
 */
export class Controller {
  readonly #deps: ControllerDeps
  readonly #tuning: ControllerTuning
  readonly #gates: ProviderGates
  #leadership: Leadership | undefined
  #driver: Driver | undefined
  #seenTerm = 0
  #stretches = 0

  constructor(deps: ControllerDeps, { tuning = TUNING, gates = new ProviderGates(deps) }: ControllerOptions = {}) {
    this.#deps = deps
    this.#tuning = tuning
    this.#gates = gates
  }

  /** Leads when it can, until the signal is aborted; then it returns the lease. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { timers, random, log } = this.#deps
    while (!signal.aborted) {
      try {
        await this.#lead(signal)
      } catch (error) {
        log.warn('the store did not answer; reading everything again', { error: messageOf(error) })
      }
      await timers.sleep(aboutMs(this.#tuning.retryMs, 0.5, random.next()), signal)
    }
  }

  /** Something may have changed: look now instead of at the next turn. A hint, never required. */
  poke(): void {
    this.#driver?.hint()
  }

  /** The term under which this process leads; undefined: it does not lead. */
  get leading(): number | undefined {
    return this.#leadership?.isOver === false ? this.#leadership.number : undefined
  }

  /** The last term that this process has seen, its own or another's; 0: none yet. */
  get seenTerm(): number {
    return this.#seenTerm
  }

  /** What each provider said when it was last read; empty while another process leads. */
  get told(): Driver['told'] {
    return this.#driver?.told ?? new Map()
  }

  /** Offers that a provider showed when it was last read; 0 while another process leads. */
  offersOf(provider: string): number {
    return this.#driver?.offersOf(provider) ?? 0
  }

  /** Workloads reconciled in this leadership; 0 while another process leads. */
  get reconciles(): number {
    return this.#driver?.reconciles ?? 0
  }

  /** For metrics; undefined while another process leads. */
  get counts(): ControllerCounts | undefined {
    return this.#driver?.counts
  }

  /**
   * Each leadership has its own holder name and so its own term: calls that an earlier leadership of this very process may
   * still have under way are fenced off like those of any other process.
   */
  async #lead(signal: AbortSignal): Promise<void> {
    const { store, log } = this.#deps
    const holder = `${this.#deps.holder}-${++this.#stretches}`
    const { led, heldUntilMs } = await this.#ask(holder)
    this.#seenTerm = led.term
    if (led.kind === 'following') return
    log.info('leading', { term: led.term })
    const seat = { number: led.term, heldUntilMs, tuning: this.#tuning, gates: this.#gates }
    const leadership = new Leadership({ ...this.#deps, holder }, seat)
    this.#leadership = leadership
    this.#driver = new Driver(leadership)
    try {
      await this.#driver.run(signal)
    } finally {
      leadership.end('over')
      this.#leadership = undefined
      this.#driver = undefined
      await this.#orLate(store.yieldLead(holder)).catch(() => undefined)
    }
  }

  /** The lease of a holder that is certainly dead need not expire: it is returned on its behalf. */
  async #ask(holder: string): Promise<{ readonly led: Led; readonly heldUntilMs: number }> {
    const { store, clock, isDead } = this.#deps
    const heldUntilMs = clock.tickMs() + this.#tuning.leaseMs
    const led = await this.#orLate(store.lead(holder, this.#tuning.leaseMs))
    if (led.kind === 'leading' || isDead?.(led.holder) !== true) return { led, heldUntilMs }
    await this.#orLate(store.yieldLead(led.holder))
    const againMs = clock.tickMs() + this.#tuning.leaseMs
    return { led: await this.#orLate(store.lead(holder, this.#tuning.leaseMs)), heldUntilMs: againMs }
  }

  /** A store that hangs counts as one that does not answer. */
  async #orLate<T>(answer: Promise<T>): Promise<T> {
    const inTime = await within({ timers: this.#deps.timers, ms: 5 * this.#tuning.leaseMs }, answer)
    if (inTime === LATE) throw new Error('no answer in time')
    return inTime
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
