/** Whether a text matches a pattern in which `*` stands for any text, even none. Case does not matter. */
export function fitsPattern(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.toLowerCase().split('*')
  const sought = text.toLowerCase()
  const tail = rest.pop()
  if (tail === undefined) return sought === head
  if (!sought.startsWith(head)) return false

  // Each part matches where it first occurs. An earlier match never rules out a later part, so there is no backtracking.
  let at = head.length
  for (const part of rest) {
    const found = sought.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return sought.length - tail.length >= at && sought.endsWith(tail)
}
