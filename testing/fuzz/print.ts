import type { Random } from './random.ts'
import type { Data } from './valid.ts'

/** Data as YAML, in a mixture of styles that chance decides. */
export function printYaml(data: Data, random: Random, indent = 0): string {
  const pad = ' '.repeat(indent)
  if (Array.isArray(data) && data.length > 0 && random.chance(0.6)) {
    return data.map((item) => `\n${pad}- ${printFlow(item, random)}`).join('')
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data) && Object.keys(data).length > 0) {
    if (indent > 0 && random.chance(0.3)) return printFlow(data, random)
    const lines = Object.entries(data).map(
      ([key, value]) => `${pad}${key}:${spaced(printYaml(value, random, indent + 2))}`,
    )
    return (indent > 0 ? '\n' : '') + lines.join(random.chance(0.1) ? ' # a comment\n' : '\n')
  }
  return printFlow(data, random)
}

function spaced(text: string): string {
  return text.startsWith('\n') ? text : ` ${text}`
}

function printFlow(data: Data, random: Random): string {
  if (Array.isArray(data)) return `[${data.map((item) => printFlow(item, random)).join(', ')}]`
  if (typeof data === 'object' && data !== null) {
    return `{ ${Object.entries(data)
      .map(([key, value]) => `${key}: ${printFlow(value, random)}`)
      .join(', ')} }`
  }
  return typeof data === 'string' ? printText(data, random) : String(data)
}

/** Text that needs no quotes gets them only now and then. */
function printText(text: string, random: Random): string {
  const isPlain = /^[A-Za-z/][\w./:@-]*$|^\d+(?:\.\d+)?[A-Za-z%]+$/.test(text) && !/^(?:true|false|null)$|:$/.test(text)
  if (isPlain && random.chance(0.8)) return text
  return /[\n']/.test(text) || random.chance(0.5) ? JSON.stringify(text) : `'${text}'`
}
