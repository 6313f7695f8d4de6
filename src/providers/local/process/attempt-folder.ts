import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readNote, writeNote, type Note } from '../note.ts'

/**
 * The folders of attempts: `order` is what was asked for, `started` which process it is, `exit` how it ended,
 * `stopping` since when it is to end. Each is written whole, once, and by whoever comes first.
 */
export class AttemptFolders {
  readonly #running: string
  readonly #past: string
  readonly #started = new Map<string, string>()
  #serial = 0

  constructor(folder: string) {
    this.#running = join(folder, 'attempts')
    this.#past = join(folder, 'past')
    mkdirSync(this.#running, { recursive: true, mode: 0o700 })
    mkdirSync(this.#past, { recursive: true, mode: 0o700 })
  }

  all(): readonly string[] {
    return readdirSync(this.#running)
  }

  pathOf(attempt: string, file = ''): string {
    return join(this.#running, attempt, file)
  }

  /** The note of whoever came first: ours, or that of an earlier call. */
  claim(attempt: string, note: Note): Note | undefined {
    mkdirSync(this.pathOf(attempt, 'work'), { recursive: true, mode: 0o700 })
    this.writeOnce(attempt, 'order', writeNote(note))
    return this.note(attempt)
  }

  note(attempt: string): Note | undefined {
    const text = this.read(attempt, 'order')
    return text === undefined ? undefined : readNote(text)
  }

  read(attempt: string, file: MarkFile): string | undefined {
    try {
      return readFileSync(this.pathOf(attempt, file), 'utf8')
    } catch {
      return undefined
    }
  }

  /** Which process it is, once there is one: that never changes. */
  started(attempt: string): string | undefined {
    const known = this.#started.get(attempt)
    if (known !== undefined || !this.has(attempt, 'started')) return known
    const text = this.read(attempt, 'started')
    if (text !== undefined) this.#started.set(attempt, text)
    return text
  }

  has(attempt: string, file: MarkFile): boolean {
    return existsSync(this.pathOf(attempt, file))
  }

  /** Whole or not at all; false: somebody was faster. */
  writeOnce(attempt: string, file: MarkFile, text: string): boolean {
    const draft = this.pathOf(attempt, `${file}.${process.pid}.${this.#serial++}`)
    writeFileSync(draft, text, { mode: 0o600 })
    try {
      linkSync(draft, this.pathOf(attempt, file))
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    } finally {
      unlinkSync(draft)
    }
  }

  changedMs(attempt: string, file: MarkFile): number | undefined {
    return statSync(this.pathOf(attempt, file), { throwIfNoEntry: false })?.mtimeMs
  }

  /** Forgets everything but the name. */
  forget(attempt: string): void {
    this.#started.delete(attempt)
    writeFileSync(join(this.#past, attempt), '', { mode: 0o600 })
    // Out of the way in one step, so that nobody ever sees half of a folder.
    const dead = join(this.#past, `${attempt}.removed`)
    rmSync(dead, { recursive: true, force: true })
    renameSync(this.pathOf(attempt), dead)
    rmSync(dead, { recursive: true, force: true })
  }

  isPast(attempt: string): boolean {
    return existsSync(join(this.#past, attempt))
  }

  /** Names that nobody can ask for any more. */
  forgetNames(beforeMs: number): void {
    for (const name of readdirSync(this.#past)) {
      const path = join(this.#past, name)
      const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? beforeMs
      if (changedMs < beforeMs) rmSync(path, { recursive: true, force: true })
    }
  }
}

export type MarkFile = 'order' | 'started' | 'exit' | 'stopping'
