import type { RowKind } from '../../src/core/life/rows.ts'
import type { MemoryOptions } from '../../src/store/memory.ts'
import { bodyText } from '../../src/store/records.ts'
import { FirstVersion } from '../upgrade/first-version.ts'

/**
 * Which version of Berth writes the rows of a world. In every third world that is the last one until a control plane is
 * killed and the next goes on with this version; in another third it is the last one all along, so that each start is an
 * upgrade. The others have rows that are never written down: they are much faster.
 */
export class Versions {
  readonly #last = new FirstVersion()
  readonly #seed: number
  #isUpgraded = false

  constructor(seed: number) {
    this.#seed = seed
  }

  get options(): Pick<MemoryOptions, 'write'> {
    return this.#seed % 3 === 2 ? {} : { write: (body, kind) => this.#write(body, kind) }
  }

  /** A control plane starts again after it was killed. */
  next(): void {
    this.#isUpgraded = this.#seed % 3 === 0
  }

  #write(body: unknown, kind: RowKind): string {
    const last = this.#last.write(body, kind)
    return this.#isUpgraded ? bodyText(body, kind) : last
  }
}
