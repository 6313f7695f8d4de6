import type { Problem } from '../base/problem.ts'

// Text that may be a secret is never repeated: not in messages, not in logs, not in answers to later requests.

/**
 * A key whose value may be a secret, anywhere in a line. Every repetition in the pattern is bounded, so that the time
 * grows only linearly with the length of the line.
 */
const SECRET_KEY =
  /(?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|authorization|auth(?![a-z])|(?<![a-z])dsn(?![a-z]))[\w.-]{0,64}["']?\s{0,16}:/i
/** Credentials in an address: `scheme://user:password@host`. */
const IN_ADDRESS = /:\/\/[^\s@]{1,256}@/
const KEY = /^\s*(?:- +)*["']?[\w.-]+["']?\s*:/
/** Real lists of secrets are shorter than this. A hostile file has ten thousand lines with a problem each. */
const LOOKED_BACK = 200

/** Results for the lines of a text, by number: a hostile line with a thousand problems is checked once. */
const KNOWN = new WeakMap<readonly string[], Map<number, boolean>>()

/** Whether a line contains or is inside a key that sounds like a secret, or contains an address with credentials. */
export function isSecretLine(lines: readonly string[], number: number): boolean {
  const known = KNOWN.get(lines) ?? new Map<number, boolean>()
  KNOWN.set(lines, known)
  const verdict = known.get(number) ?? isSecret(lines, number)
  known.set(number, verdict)
  return verdict
}

function isSecret(lines: readonly string[], number: number): boolean {
  const line = lines[number - 1] ?? ''
  if (SECRET_KEY.test(line) || IN_ADDRESS.test(line)) return true
  let indent = indentOf(line)
  const isItem = /^\s*- /.test(line)
  for (let at = number - 2, looked = 0; at >= 0 && looked < LOOKED_BACK; at--, looked++) {
    const above = lines[at] ?? ''
    const opening = KEY.exec(above)
    const isAround = opening !== null && (indentOf(above) < indent || (isItem && indentOf(above) === indent))
    if (!isAround) continue
    if (SECRET_KEY.test(above)) return true
    indent = Math.min(indent, indentOf(above))
    if (indent === 0) return false
  }
  return false
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** The problem without the text that was found, unless that text is a key. */
export function withoutFound<P extends Problem>(problem: P, line: string): P {
  const { found, ...rest } = problem
  if (found === undefined) return problem
  // The cast is safe: only the optional `found` is removed.
  return isKeyIn(line, found) ? problem : (rest as P)
}

function isKeyIn(line: string, found: string): boolean {
  const at = line.indexOf(found)
  return at >= 0 && /^["']?\s*:/.test(line.slice(at + found.length))
}
