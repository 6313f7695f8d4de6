import { Readable } from 'node:stream'
import { nextTurn } from '../ports/turn.ts'

/** An array with more entries is written in pieces. */
const PIECE = 500

/**
 * A reply as JSON. What has a long list in it is written piece by piece, so that nobody waits while megabytes are made into
 * one text.
 */
export function jsonOf(body: unknown): string | Readable {
  return isLong(body) ? Readable.from(piecesOf(body), { objectMode: false }) : JSON.stringify(body)
}

function isLong(body: unknown): body is Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  return Object.values(body).some((value) => Array.isArray(value) && value.length > PIECE)
}

async function* piecesOf(body: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(key)}:`
    before = ','
    if (Array.isArray(value) && value.length > PIECE) yield* listOf(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

async function* listOf(values: readonly unknown[]): AsyncGenerator<string> {
  for (let from = 0; from < values.length; from += PIECE) {
    const piece = JSON.stringify(values.slice(from, from + PIECE))
    yield `${from === 0 ? '[' : ','}${piece.slice(1, -1)}`
    await nextTurn()
  }
  yield ']'
}
