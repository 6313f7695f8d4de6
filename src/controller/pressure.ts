/** So many at once, and accepting comes before placing. One person with a browser and a terminal is no such load. */
const MANY = 4

/** The requests that wait for an answer now. Whoever answers them counts; whoever shares the processor asks. */
export class Pressure {
  #waiting = 0

  /** One more waits, until the answer is called. */
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
