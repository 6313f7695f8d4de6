/** What bytes are written to: a socket, the input of a program. */
interface Sink {
  readonly writable: boolean
  readonly destroyed?: boolean
  write(bytes: Uint8Array): boolean
  once(event: 'drain' | 'close', told: () => void): unknown
  off(event: 'drain' | 'close', told: () => void): unknown
}

/** Writes, and resolves when there is room for more, or never will be. */
export function written(to: Sink, bytes: Uint8Array): Promise<void> {
  if (!to.writable || to.write(bytes) || to.destroyed === true) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      to.off('drain', done)
      to.off('close', done)
      resolve()
    }
    to.once('drain', done)
    to.once('close', done)
  })
}
