/** Whether a text fits a pattern in which `*` stands for anything, also nothing. Upper and lower case are the same. */
export function fitsPattern(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.toLowerCase().split('*')
  const sought = text.toLowerCase()
  const tail = rest.pop()
  if (tail === undefined) return sought === head
  if (!sought.startsWith(head)) return false

  // Each part is taken where it first occurs: an earlier place never spoils a later part, so nothing is tried twice.
  let at = head.length
  for (const part of rest) {
    const found = sought.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return sought.length - tail.length >= at && sought.endsWith(tail)
}
