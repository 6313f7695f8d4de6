/** Smaller ones are read as quickly as they are looked up. */
const LARGE = 16 * 1024
/** Characters of all that are kept. */
const KEPT_MOST = 8_000_000

/**
 * Large bodies as they were read last: a manifest of 256 KB stands in a row of twice that, takes milliseconds to read, and is
 * read again for every list. What is kept counts only for the very same text, and is shared: bodies are never changed.
 */
export class LargeBodies<B> {
  /** By row; the one that was used last is last. */
  readonly #kept = new Map<string, { readonly text: string; readonly body: B }>()
  #size = 0

  read(row: string, text: string, parse: (text: string) => B): B {
    if (text.length < LARGE) return parse(text)
    const known = this.#kept.get(row)
    const entry = known?.text === text ? known : { text, body: parse(text) }
    this.#drop(row)
    this.#kept.set(row, entry)
    this.#size += text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= KEPT_MOST) break
      this.#drop(oldest)
    }
    return entry.body
  }

  #drop(row: string): void {
    this.#size -= this.#kept.get(row)?.text.length ?? 0
    this.#kept.delete(row)
  }
}
