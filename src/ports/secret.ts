/** A value that must not be seen: it prints as `***` wherever it is printed, even inside other values. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  /** The value itself. Only for code that hands it to a workload or a provider. */
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

/** Seals values with a key that is kept outside the store. `about` (project, name, version) is bound to the value. */
export interface Vault {
  readonly seal: (secret: Secret, about: string) => string
  /** Undefined: sealed with another key, for another purpose, or damaged. */
  readonly open: (sealed: string, about: string) => Secret | undefined
}

/** A vault whose key can be changed while values sealed with older ones can still be opened. */
export interface RotatingVault extends Vault {
  /** Adds a key with this id, 12 hexadecimal digits, to the key file, unless it is there. It seals nothing yet. */
  readonly addKey: (id: string) => void
  /** Whether values that were sealed with this key can be opened. Reads the key file again. */
  readonly hasKey: (id: string) => boolean
  /** Seals values with this key from now on. The key must exist; older keys stay in the key file. */
  readonly useKey: (id: string) => void
  /** The same value under the current key; undefined as for `open`. A value that already uses it is returned unchanged. */
  readonly rotate: (sealed: string, about: string) => string | undefined
}
