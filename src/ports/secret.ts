/** A value that must not be seen: it prints as `***` wherever it is printed, also inside other things. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  /** The value itself, for the one who hands it to a workload or a provider, and nobody else. */
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '***'
  }
  toJSON(): string {
    return '***'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '***'
  }
}

/** Seals values with a key that lies outside the store. `about` (project, name, version) is bound to the value. */
export interface Vault {
  readonly seal: (secret: Secret, about: string) => string
  /** Undefined: sealed with another key, for another purpose, or damaged. */
  readonly open: (sealed: string, about: string) => Secret | undefined
}

/** A vault whose key can be changed while values sealed with older ones can still be opened. */
export interface RotatingVault extends Vault {
  /** Adds a key to the key file; it seals whatever is sealed from now on. Answers its id. */
  readonly newKey: () => string
  /** The same value under the newest key; undefined as for `open`. A value that has it already comes back as it is. */
  readonly rotate: (sealed: string, about: string) => string | undefined
}
