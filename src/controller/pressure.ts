/** With this many requests at once, accepting comes before placing. One user with a browser and a terminal causes less. */
const MANY = 4

/**
 * The requests that wait for an answer now. The server counts them; the controller, which shares the processor, reads the
 * count.
 */
export class Pressure {
  #waiting = 0

  /** One more request waits, until the returned function is called. */
  enter(): () => void {
    this.#waiting++
    let isHere = true
    return () => {
      if (isHere) this.#waiting--
      isHere = false
    }
  }

  get isLarge(): boolean {
    return this.#waiting >= MANY
  }
}
