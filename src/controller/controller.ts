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
  /** Left out: gates of its own. */
  readonly gates?: ProviderGates
}

/**
 * The controller: one of it leads, and makes what is into what is wanted. It is built to be killed: whatever it knows it
 * can read again, and when the store fails it throws everything away and does just that.
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

  /** Leads when it can and keeps at it until the signal is aborted; gives the lease back then. Never rejects. */
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

  /** Something may have changed: look now instead of at the next turn. A hint, never needed. */
  poke(): void {
    this.#driver?.hint()
  }

  /** Whether this one leads now, and under which term. */
  get leading(): number | undefined {
    return this.#leadership?.isOver === false ? this.#leadership.number : undefined
  }

  /** The last term that this process heard of, its own or another's; 0: none yet. */
  get seenTerm(): number {
    return this.#seenTerm
  }

  /** Offers that a provider showed when it was last asked; 0 while another one leads. */
  offersOf(provider: string): number {
    return this.#driver?.offersOf(provider) ?? 0
  }

  /** Workloads that were looked at in this stretch of leading; 0 while another one leads. */
  get reconciles(): number {
    return this.#driver?.reconciles ?? 0
  }

  /** For metrics; undefined while another one leads. */
  get counts(): ControllerCounts | undefined {
    return this.#driver?.counts
  }

  /**
   * Each stretch of leading has a name and so a term of its own: what an earlier one of this very process may still have
   * under way is fenced off like anybody else's.
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

  /** The lease of somebody who is surely dead need not run out: it is given back for him. */
  async #ask(holder: string): Promise<{ readonly led: Led; readonly heldUntilMs: number }> {
    const { store, clock, isDead } = this.#deps
    const heldUntilMs = clock.tickMs() + this.#tuning.leaseMs
    const led = await this.#orLate(store.lead(holder, this.#tuning.leaseMs))
    if (led.kind === 'leading' || isDead?.(led.holder) !== true) return { led, heldUntilMs }
    await this.#orLate(store.yieldLead(led.holder))
    const againMs = clock.tickMs() + this.#tuning.leaseMs
    return { led: await this.#orLate(store.lead(holder, this.#tuning.leaseMs)), heldUntilMs: againMs }
  }

  /** A store that hangs is a store that does not answer. */
  async #orLate<T>(answer: Promise<T>): Promise<T> {
    const inTime = await within({ timers: this.#deps.timers, ms: 5 * this.#tuning.leaseMs }, answer)
    if (inTime === LATE) throw new Error('no answer in time')
    return inTime
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
