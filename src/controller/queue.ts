/** The workload that a waiting call is for: `project/workload`. */
export interface QueuedCall {
  readonly what: 'offers' | 'launch' | 'describe' | 'list' | 'stop'
  readonly whose: string
}

/** At most this many stops go in a row while another call waits. */
const STOPS_IN_A_ROW = 3

/**
 * Calls that wait for their turn at a provider: lists of instances and of offers first, then stops, then the rest, which gets
 * at least every fourth turn. There, launches and others take turns, so do projects, and so do the workloads of a project. Launches have
 * limits of their own, and hold up nothing else while they wait for these.
 */
export class Queue<T extends QueuedCall> {
  readonly #looks = new Turns<T>()
  readonly #stops = new Turns<T>()
  readonly #others = new Turns<T>()
  readonly #launches = new Turns<T>()
  #stopsInARow = 0
  #wasLaunch = false

  get isEmpty(): boolean {
    return this.hasOnlyLaunches && this.#launches.isEmpty
  }

  /** Nothing but launches waits, or nothing at all. */
  get hasOnlyLaunches(): boolean {
    return !this.hasLook && this.#stops.isEmpty && this.#others.isEmpty
  }

  get hasLook(): boolean {
    return !this.#looks.isEmpty
  }

  push(one: T): void {
    if (isLook(one)) this.#looks.push(one)
    else if (one.what === 'launch') this.#launches.push(one)
    else (one.what === 'stop' ? this.#stops : this.#others).push(one)
  }

  /** `launches: held`: only what is no launch. */
  shift({ launches = 'free' }: { readonly launches?: 'free' | 'held' } = {}): T | undefined {
    const look = this.#looks.shift()
    if (look !== undefined) return look
    const isLaunch = launches === 'free' && !this.#launches.isEmpty && (!this.#wasLaunch || this.#others.isEmpty)
    const others = isLaunch ? this.#launches : this.#others
    const isOthers = this.#stops.isEmpty || (this.#stopsInARow >= STOPS_IN_A_ROW && !others.isEmpty)
    this.#stopsInARow = isOthers ? 0 : this.#stopsInARow + 1
    if (!isOthers) return this.#stops.shift()
    this.#wasLaunch = isLaunch
    return others.shift()
  }

  /** Removes calls that need not wait any longer. */
  drop(isOver: (one: T) => boolean): readonly T[] {
    const all = [this.#looks, this.#stops, this.#others, this.#launches]
    return all.flatMap((turns) => turns.drop(isOver))
  }
}

/** Lists of instances and of offers are read at their own pace. */
export function isLook({ what }: Pick<QueuedCall, 'what'>): boolean {
  return what === 'list' || what === 'offers'
}

/** The first entry of a map has its turn, and then goes to the end. */
class Turns<T extends QueuedCall> {
  readonly #projects = new Map<string, Map<string, T[]>>()

  get isEmpty(): boolean {
    return this.#projects.size === 0
  }

  push(one: T): void {
    const project = one.whose.slice(0, Math.max(0, one.whose.indexOf('/')))
    const workloads = this.#projects.get(project) ?? new Map<string, T[]>()
    this.#projects.set(project, workloads)
    const waiting = workloads.get(one.whose)
    if (waiting === undefined) workloads.set(one.whose, [one])
    else waiting.push(one)
  }

  shift(): T | undefined {
    for (const [project, workloads] of this.#projects) {
      this.#projects.delete(project)
      for (const [whose, waiting] of workloads) {
        workloads.delete(whose)
        const one = waiting.shift()
        if (waiting.length > 0) workloads.set(whose, waiting)
        if (workloads.size > 0) this.#projects.set(project, workloads)
        return one
      }
    }
    return undefined
  }

  drop(isOver: (one: T) => boolean): readonly T[] {
    const dropped: T[] = []
    for (const [project, workloads] of this.#projects) {
      for (const [whose, waiting] of workloads) {
        const { over = [], left = [] } = Object.groupBy(waiting, (one) => (isOver(one) ? 'over' : 'left'))
        dropped.push(...over)
        if (left.length === 0) workloads.delete(whose)
        else workloads.set(whose, left)
      }
      if (workloads.size === 0) this.#projects.delete(project)
    }
    return dropped
  }
}
