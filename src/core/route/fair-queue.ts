/** A queue in which callers take turns: whoever has many waiting does not delay whoever has one. */
export class FairQueue<T> {
  readonly #lines = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(caller: string, item: T): void {
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, [item])
    else line.push(item)
    this.#size++
  }

  /** The next, in turns between callers. */
  take(): T | undefined {
    const [first] = this.#lines
    if (first === undefined) return undefined
    const [caller, line] = first
    const item = line.shift()
    this.#lines.delete(caller)
    // Whoever was served goes to the end.
    if (line.length > 0) this.#lines.set(caller, line)
    this.#size--
    return item
  }

  takeAll(): readonly T[] {
    const all: T[] = []
    for (let item = this.take(); item !== undefined; item = this.take()) all.push(item)
    return all
  }

  all(): readonly T[] {
    return [...this.#lines.values()].flat()
  }

  remove(caller: string, item: T): void {
    const line = this.#lines.get(caller)
    const at = line?.indexOf(item) ?? -1
    if (line === undefined || at < 0) return
    line.splice(at, 1)
    this.#size--
    if (line.length === 0) this.#lines.delete(caller)
  }
}
