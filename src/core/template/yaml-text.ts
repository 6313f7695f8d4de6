import type { DocNode, DocScalar } from '../document/document.ts'

/**
 * A document as YAML text, one key a line, that is read back as the same document. Comments and quotes of the text it
 * came from are gone: only what it means is left.
 */
export function yamlText(root: DocNode): string {
  const lines = linesOf(root, '')
  return `${(lines ?? [scalarText(root)]).join('\n')}\n`
}

const INDENT = '  '

/** Lines of a map or list with something in it; undefined: it fits behind its key or dash. */
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
      // A dash and a blank are as wide as one step in, so the first line moves up beside the dash.
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

/** Numbers, booleans and null as they were written: `0x1F` and `12.10` are more than their value. */
function bareText({ value, text }: DocScalar): string {
  return text === '' ? String(value) : text
}

/** Words that cannot be taken for anything else. */
const PLAIN = /^[A-Za-z/][A-Za-z0-9_./@-]*(?::[A-Za-z0-9_./@-]+)*$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Characters that JSON leaves as they are and YAML does not take, or that nobody can see. */
const UNSEEN = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g

function plainOrQuoted(text: string): string {
  if (PLAIN.test(text) && !WORDS.test(text)) return text
  return JSON.stringify(text).replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
