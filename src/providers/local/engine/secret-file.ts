import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartOrder } from '../runtime.ts'

/**
 * Hands the values of secrets to an engine in a file that only Berth's user can read, and that exists only while the
 * engine's command runs. The environment of the command could be read by more users, and would change what the engine does.
 */
export class SecretFiles {
  readonly #folder: string

  /** Removes files that a killed Berth left behind. */
  constructor(folder: string) {
    this.#folder = join(folder, 'secrets')
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { force: true })
  }

  async use<T>(start: StartOrder, run: (handed: Handed) => Promise<T>): Promise<T> {
    const values = [...start.secrets].map(([name, secret]) => [name, secret.reveal()] as const)
    // Such a file has one variable per line.
    const lines = values.filter(([, value]) => !/[\n\r]/.test(value))
    const inherited = new Map(values.filter(([, value]) => /[\n\r]/.test(value)))
    if (lines.length === 0) return run({ file: undefined, inherited })
    const file = join(this.#folder, `${start.note.tag.attempt}.${process.pid}`)
    try {
      writeFileSync(file, lines.map(([name, value]) => `${name}=${value}\n`).join(''), { mode: 0o600 })
      return await run({ file, inherited })
    } finally {
      rmSync(file, { force: true })
    }
  }
}

export interface Handed {
  readonly file: string | undefined
  readonly inherited: ReadonlyMap<string, string>
}
