/** A piece of a scalar: literal text, a placeholder, or an invalid `${`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'place'; readonly name: string }
  | { readonly kind: 'wrong'; readonly text: string }

/** What may be between the braces. */
export const PARAMETER_FORM = /^[a-z][a-z0-9_]{0,62}$/

const SIGNS = /\$\$|\$\{[^{}$]*\}?/g

/** Longer pieces are cut in messages. */
const SHOWN_MAX = 40

/**
 * The pieces of a text, in order. `$$` is a dollar sign. A dollar sign before anything but `{` or `$` is literal, so that
 * most texts that were not written for templates keep their meaning.
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
