import type { DocNode, DocScalar } from '../document/document.ts'

/**
 * A document as YAML text, one key per line, that reads back as the same document. The comments and quotes of the
 * original text are lost.
 */
export function yamlText(root: DocNode): string {
  const lines = linesOf(root, '')
  return `${(lines ?? [scalarText(root)]).join('\n')}\n`
}

const INDENT = '  '

/** The lines of a non-empty map or list; undefined when the value fits after its key or dash. */
function linesOf(node: DocNode, pad: string): readonly string[] | undefined {
  if (node.kind === 'map' && node.entries.length > 0) {
    return node.entries.flatMap(({ key, value }) => {
      const head = `${pad}${plainOrQuoted(key)}:`
      const inner = linesOf(value, pad + INDENT)
      return inner === undefined ? [`${head} ${scalarText(value)}`.trimEnd()] : [head, ...inner]
    })
  }
  if (node.kind === 'list' && node.items.length > 0) {
    return node.items.flatMap((item) => {
      const inner = linesOf(item, pad + INDENT)
      if (inner === undefined) return [`${pad}- ${scalarText(item)}`.trimEnd()]
      // A dash and a space are as wide as one indent, so the first line moves up next to the dash.
      const [first = '', ...rest] = inner
      return [`${pad}- ${first.slice(pad.length + INDENT.length)}`, ...rest]
    })
  }
  return undefined
}

function scalarText(node: DocNode): string {
  if (node.kind === 'map') return '{}'
  if (node.kind === 'list') return '[]'
  return typeof node.value === 'string' ? plainOrQuoted(node.value) : bareText(node)
}

/** Numbers, booleans and null keep the text they were written as, because `0x1F` and `12.10` are more than their value. */
function bareText({ value, text }: DocScalar): string {
  return text === '' ? String(value) : text
}

/** Words that can only be text. */
const PLAIN = /^[A-Za-z/][A-Za-z0-9_./@-]*(?::[A-Za-z0-9_./@-]+)*$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Characters that JSON leaves unescaped and that YAML rejects, or that are invisible. */
const UNSEEN = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g

function plainOrQuoted(text: string): string {
  if (PLAIN.test(text) && !WORDS.test(text)) return text
  return JSON.stringify(text).replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
