/** States what must be true here. A failure is a bug in Berth, never the user's mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}

/** The value, or a bug: for look-ups that cannot miss. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Error(`assertion failed: ${message}`)
  return value
}
