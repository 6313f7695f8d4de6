/** Lets everything run that is ready to run. Work that takes long calls it between two pieces. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The result of work that is done in pieces, one in each turn. */
export async function inTurns<T>(pieces: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
    await nextTurn()
  }
}
