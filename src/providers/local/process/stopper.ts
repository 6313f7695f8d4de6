import type { ProviderDeps } from '../../../ports/provider.ts'
import { GRACE_MS } from '../runtime.ts'
import { Unreadable } from '../unreadable.ts'
import type { AttemptFolders } from './attempt-folder.ts'
import { killGroup, removeGroup } from './control-group.ts'
import { stateOf, straysOf, type ProcessState } from './process-state.ts'
import { hostMs, signalGroup, signalOne } from './process-table.ts'

/** Stops what runs: with SIGTERM first, with SIGKILL after a while. */
export class Stopper {
  readonly #folders: AttemptFolders
  readonly #clock: ProviderDeps['clock']
  readonly #timers: ProviderDeps['timers']
  readonly #boot: string
  /** By attempt: since when this process knows that it must end, on the monotonic clock. */
  readonly #since = new Map<string, { readonly tickMs: number; readonly isOurs: boolean }>()

  constructor(folders: AttemptFolders, { clock, timers }: Pick<ProviderDeps, 'clock' | 'timers'>, boot: string) {
    this.#folders = folders
    this.#clock = clock
    this.#timers = timers
    this.#boot = boot
  }

  /** True: the stop is new. A full disk keeps nothing from being stopped. */
  begin(attempt: string): boolean {
    let isFirst = !this.#since.has(attempt)
    try {
      isFirst = this.#folders.writeOnce(attempt, 'stopping', `${this.#boot} ${hostMs()}\n`)
    } catch {
      // It is remembered below, and written by a later call.
    }
    if (!this.#since.has(attempt)) this.#since.set(attempt, { tickMs: this.#clock.tickMs(), isOurs: isFirst })
    // A launch that is still under way finds its place taken.
    if (!this.#folders.has(attempt, 'started')) this.#folders.never(attempt, 'stopped before it started')
    return isFirst
  }

  /** True: nothing of it runs any more. `signal`: what to send during the grace period. */
  end(attempt: string, signal: NodeJS.Signals | undefined): boolean {
    const state = this.#stateOf(attempt)
    const how = this.#isOver(attempt) ? 'SIGKILL' : signal
    if (state?.state === 'starting') return false
    if (state?.state === 'ended') {
      const strays = straysOf(this.#folders, attempt)
      if (strays.length > 0) this.#signal(attempt, strays, 'SIGKILL')
      return strays.length === 0 && this.#isGone(attempt)
    }
    if (state !== undefined && 'identity' in state) {
      if (how !== undefined) signalGroup(state.identity, how, this.#boot)
      return false
    }
    // Its leader is dead, or its files cannot be read: then only its processes tell.
    const strays = state?.strays ?? straysOf(this.#folders, attempt)
    if (how !== undefined) this.#signal(attempt, strays, how)
    return strays.length === 0 && this.#isGone(attempt)
  }

  /**
   * The same for one that ended by itself: what it leaves behind is killed, and gone in a moment. What replaces it need not wait
   * for another call.
   */
  async clear(attempt: string, signal: NodeJS.Signals | undefined): Promise<boolean> {
    if (this.end(attempt, signal)) return true
    for (const ms of MOMENTS_MS) {
      await this.#timers.sleep(ms)
      if (this.end(attempt, undefined)) return true
    }
    return false
  }

  forget(attempt: string): void {
    this.#since.delete(attempt)
  }

  /** Undefined: it cannot be read. */
  #stateOf(attempt: string): ProcessState | undefined {
    try {
      return stateOf(this.#folders, attempt, this.#boot)
    } catch (error) {
      if (error instanceof Unreadable) return undefined
      throw error
    }
  }

  /**
   * Measured on the monotonic clock of this process or, if another process began the stop, of the host; never by a clock that
   * can be set. A mark of an earlier version, or from before the last boot, does not count.
   */
  #isOver(attempt: string): boolean {
    const since = this.#since.get(attempt)
    if (since !== undefined && this.#clock.tickMs() - since.tickMs >= GRACE_MS) return true
    if (since === undefined || since.isOurs) return false
    const [boot, begunMs] = (this.#folders.read(attempt, 'stopping') ?? '').trim().split(' ')
    return boot === this.#boot && begunMs !== undefined && hostMs() - Number(begunMs) >= GRACE_MS
  }

  #signal(attempt: string, pids: readonly number[], signal: NodeJS.Signals): void {
    const group = this.#folders.read(attempt, 'cgroup')?.trim()
    if (signal === 'SIGKILL' && group !== undefined) killGroup(group)
    for (const pid of pids) signalOne(pid, signal)
  }

  #isGone(attempt: string): boolean {
    const group = this.#folders.read(attempt, 'cgroup')?.trim()
    if (group !== undefined && group !== '') removeGroup(group)
    return true
  }
}

const MOMENTS_MS = [10, 20, 40, 80, 160]
