/** A value on one line of YAML, as examples in hints are printed: `{ min: 1, max: 8 }`. */
export function flow(value: unknown): string {
  if (typeof value === 'string') return scalar(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${flow(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** Plain words need no quotes; anything else gets them. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z_/][^\s:#,[\]{}"'&*!|>%@`]*(?::\/?\/?[^\s:#,[\]{}"'&*!|>%@`]+)*$|^\d+(?:\.\d+)?[A-Za-z%]+$/.test(text)
  return isPlain && !/^(?:true|false|null|~)$/i.test(text) ? text : JSON.stringify(text)
}
