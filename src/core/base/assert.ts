/** States what must be true here. A failure is a bug in Berth, never a mistake of the user. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}

/** The value. A missing value is a bug: this is for look-ups that always succeed. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Error(`assertion failed: ${message}`)
  return value
}
