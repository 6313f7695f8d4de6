/** A piece of a scalar: text as it is, a place for a value, or a `${` that is neither. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'place'; readonly name: string }
  | { readonly kind: 'wrong'; readonly text: string }

/** What may stand between the braces. */
export const PARAMETER_FORM = /^[a-z][a-z0-9_]{0,62}$/

const SIGNS = /\$\$|\$\{[^{}$]*\}?/g

/** Longer pieces are cut in messages. */
const SHOWN_MAX = 40

/**
 * A text in pieces, in order. `$$` is a dollar sign; a dollar sign before anything but `{` and another one stands for
 * itself, so that most texts that were written without a thought of templates mean what they did.
 */
export function piecesOf(text: string): readonly Piece[] {
  if (!text.includes('$')) return text === '' ? [] : [{ kind: 'text', text }]
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(SIGNS)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    pieces.push(pieceOf(match[0]))
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

function pieceOf(sign: string): Piece {
  if (sign === '$$') return { kind: 'text', text: '$' }
  const name = sign.slice(2, -1)
  if (sign.endsWith('}') && PARAMETER_FORM.test(name)) return { kind: 'place', name }
  return { kind: 'wrong', text: sign.length > SHOWN_MAX ? `${sign.slice(0, SHOWN_MAX)}…` : sign }
}
