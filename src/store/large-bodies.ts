/** Smaller bodies are parsed as quickly as they are looked up. */
const LARGE = 16 * 1024
/** Limit on the characters of all cached bodies together. */
const KEPT_MOST = 8_000_000

/**
 * A cache of large parsed bodies. A manifest of 256 KB makes a row of twice that size, takes milliseconds to parse, and is
 * read again for every list. An entry is used only for exactly the same text. Bodies are shared and never changed.
 */
export class LargeBodies<B> {
  /** By row, least recently used first. */
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
