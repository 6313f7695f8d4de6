import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An attempt of the local provider that has a living process. */
export interface Living {
  readonly attempt: string
  /** `WORKLOAD/UID/SLOT`. */
  readonly slot: string
}

/** How often the processes of this host are looked at. */
const LOOK_MS = 100

/**
 * The truth about processes, from /proc and the notes beside them; no control plane is asked. It looks all the time, so that
 * two processes of one slot are seen also when they are there together for a moment only.
 */
export class LocalTruth {
  readonly #attempts: string
  readonly #slots = new Map<string, string>()
  readonly #doubled = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #timer: NodeJS.Timeout

  /** `folder`: data of the control plane; `provider`: name of its local provider. */
  constructor(folder: string, provider: string) {
    this.#attempts = join(folder, 'providers', provider, 'attempts')
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  end(): void {
    clearInterval(this.#timer)
  }

  /** Processes outlive their control plane; afterwards nothing is left of them. */
  endAll(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const attempt = attemptOf(pid)
      if (attempt !== undefined && this.#slotOf(attempt) !== undefined) kill(Number(pid))
    }
  }

  /** Slots that ever had two attempts alive at one moment. */
  get doubled(): readonly string[] {
    return [...this.#doubled]
  }

  /** Attempts that ever ran. */
  get seen(): number {
    return this.#seen.size
  }

  /** What runs now. */
  living(): readonly Living[] {
    const found = new Map<string, Living>()
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      const attempt = attemptOf(pid)
      const slot = attempt === undefined ? undefined : this.#slotOf(attempt)
      if (attempt !== undefined && slot !== undefined) found.set(attempt, { attempt, slot })
    }
    return [...found.values()]
  }

  #look(): void {
    const living = this.living()
    for (const { attempt } of living) this.#seen.add(attempt)
    for (const [slot, attempts] of Map.groupBy(living, (each) => each.slot)) {
      if (attempts.length > 1) this.#doubled.add(`${slot}: ${attempts.map(({ attempt }) => attempt).join(' and ')}`)
    }
  }

  /** From the note beside the attempt; undefined: it is not of this control plane. */
  #slotOf(attempt: string): string | undefined {
    const known = this.#slots.get(attempt)
    if (known !== undefined) return known
    const file = join(this.#attempts, attempt, 'order')
    if (!/^[a-z0-9]+$/.test(attempt) || !existsSync(file)) return undefined
    try {
      const { tag } = JSON.parse(readFileSync(file, 'utf8'))
      const slot = `${tag.workload}/${tag.uid}/${tag.slot}`
      this.#slots.set(attempt, slot)
      return slot
    } catch {
      return undefined
    }
  }
}

/** One that has ended in between needs no end. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone.
  }
}

/** The attempt that a living process belongs to by its environment. */
function attemptOf(pid: string): string | undefined {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
    const [, attempt] = /(?:^|\0)BERTH_ATTEMPT=([^\0]*)/.exec(environ) ?? []
    if (attempt === undefined) return undefined
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2)) ? undefined : attempt
  } catch {
    return undefined
  }
}
