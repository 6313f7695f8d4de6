/** Lets everything run that is ready to run. Work that takes long calls it between two pieces. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
