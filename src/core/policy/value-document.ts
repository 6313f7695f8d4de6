import type { DocNode, Mark, SourceDocument } from '../document/document.ts'

/** The depth limit of files. */
const DEPTH_MAX = 32

/**
 * A plain JSON value as a document, so that the checks for files work on it too. Its lines are the value as JSON, one
 * key per line, so that messages can quote the line they are about. Undefined when the value is nested too deeply.
 */
export function valueDocument(value: unknown, file: string): SourceDocument | undefined {
  if (isDeep(value, DEPTH_MAX)) return undefined
  const page = new Page()
  const root = page.write(value, '')
  return { file, lines: page.lines(), root }
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1))
}

/** The lines written so far, and the position of the next word. */
class Page {
  readonly #lines: string[] = ['']

  lines(): readonly string[] {
    return this.#lines
  }

  write(value: unknown, pad: string): DocNode {
    if (Array.isArray(value)) return this.#list(value, pad)
    if (typeof value === 'object' && value !== null) return this.#map(value, pad)
    return this.#scalar(value)
  }

  #map(value: object, pad: string): DocNode {
    const at = this.#put('{')
    const pairs = Object.entries(value).filter(([, inner]) => inner !== undefined)
    const entries = pairs.map(([key, inner], index) => {
      this.#line(`${pad}  `)
      const keyAt = this.#put(JSON.stringify(key))
      this.#put(': ')
      const entry = { key, keyAt, value: this.write(inner, `${pad}  `) }
      if (index < pairs.length - 1) this.#put(',')
      return entry
    })
    if (pairs.length > 0) this.#line(pad)
    this.#put('}')
    return { kind: 'map', at, entries }
  }

  #list(value: readonly unknown[], pad: string): DocNode {
    const at = this.#put('[')
    const items = value.map((inner, index) => {
      const item = this.write(inner, pad)
      if (index < value.length - 1) this.#put(', ')
      return item
    })
    this.#put(']')
    return { kind: 'list', at, items }
  }

  #scalar(value: unknown): DocNode {
    const isFinite = typeof value !== 'number' || Number.isFinite(value)
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    // JSON writes minus zero as 0, so it is 0 here too.
    const plain = value === 0 ? 0 : isPlain && isFinite ? value : null
    return { kind: 'scalar', at: this.#put(JSON.stringify(plain)), value: plain, text: String(plain) }
  }

  #put(text: string): Mark {
    const line = this.#lines.length
    const before = this.#lines[line - 1] ?? ''
    this.#lines[line - 1] = before + text
    return { line, column: before.length + 1, length: text.length }
  }

  #line(pad: string): void {
    this.#lines.push(pad)
  }
}
