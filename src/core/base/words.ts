/** `40 s`, `12 min`, `3 h`, `2 d`. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return seconds < 36 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}

/** Text from outside on one line, without control characters that could steer a terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trimEnd()
}

/** `1 offer`, `112,207 offers`. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : more}`
}

/** `112,207`. */
export function number(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
