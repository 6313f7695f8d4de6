import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readNote, writeNote, type Note } from '../note.ts'
import { absentOr, Unreadable } from '../unreadable.ts'
import { Remover } from './remover.ts'

/**
 * The folders of attempts: `order` is what was asked for, `started` which process it is, `exit` how it ended,
 * `stopping` since when it is to end. Each is written whole, once, and by whoever comes first. A file that is there and
 * cannot be read throws `Unreadable`: it is not the same as none.
 */
export class AttemptFolders {
  readonly remover = new Remover()
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
  claim(attempt: string, note: Note): void {
    mkdirSync(this.pathOf(attempt, 'work'), { recursive: true, mode: 0o700 })
    this.writeOnce(attempt, 'order', writeNote(note))
  }

  /** Undefined: there is none, because the folder is being made or taken away right now. */
  note(attempt: string): Note | undefined {
    const text = this.read(attempt, 'order')
    if (text === undefined && !this.has(attempt, 'started')) return undefined
    const note = text === undefined ? undefined : readNote(text)
    if (note?.tag.attempt === attempt) return note
    throw new Unreadable(`${this.pathOf(attempt, 'order')} is damaged`)
  }

  read(attempt: string, file: MarkFile): string | undefined {
    const path = this.pathOf(attempt, file)
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      return absentOr(path, error)
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

  has(attempt: string, file: MarkFile | ''): boolean {
    return this.changedMs(attempt, file) !== undefined
  }

  /** Whole or not at all; false: somebody was faster. */
  writeOnce(attempt: string, file: MarkFile, text: string): boolean {
    const draft = this.pathOf(attempt, `${file}.${process.pid}.${this.#serial++}`)
    try {
      writeFileSync(draft, text, { mode: 0o600 })
      return this.#link(draft, this.pathOf(attempt, file))
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /** From now on it is certain that it is never started; false: it was. The note itself serves where no room is left. */
  never(attempt: string, why: string): boolean {
    try {
      return this.writeOnce(attempt, 'started', `${NEVER}: ${why}\n`)
    } catch {
      return this.#link(this.pathOf(attempt, 'order'), this.pathOf(attempt, 'started'))
    }
  }

  changedMs(attempt: string, file: MarkFile | ''): number | undefined {
    const path = this.pathOf(attempt, file)
    try {
      return statSync(path, { throwIfNoEntry: false })?.mtimeMs
    } catch (error) {
      return absentOr(path, error)
    }
  }

  /** Forgets everything but the name. */
  forget(attempt: string): void {
    this.#started.delete(attempt)
    writeFileSync(join(this.#past, attempt), '', { mode: 0o600 })
    // Out of the way in one step, so that nobody ever sees half of a folder.
    const dead = join(this.#past, `${attempt}${REMOVED}${process.pid}.${this.#serial++}`)
    renameSync(this.pathOf(attempt), dead)
    this.remover.remove(dead)
  }

  /** Takes away a folder in which nothing was noted. */
  drop(attempt: string): void {
    if (!this.has(attempt, 'order')) rmSync(this.pathOf(attempt), { recursive: true, force: true })
  }

  isPast(attempt: string): boolean {
    return existsSync(join(this.#past, attempt))
  }

  /** Names that nobody can ask for any more. */
  forgetNames(beforeMs: number): void {
    for (const name of readdirSync(this.#past)) {
      const path = join(this.#past, name)
      if (name.includes(REMOVED)) {
        this.remover.remove(path)
        continue
      }
      const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? beforeMs
      if (changedMs < beforeMs) rmSync(path, { force: true })
    }
  }

  #link(from: string, to: string): boolean {
    try {
      linkSync(from, to)
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    }
  }
}

export type MarkFile = 'order' | 'started' | 'exit' | 'stopping' | 'cgroup'

/** In the name of a folder that is on its way out; no attempt has a dot in its own. */
const REMOVED = '.removed'

/** Begins `started` where nobody will ever start the attempt; then comes why. */
const NEVER = 'never'

/** Why an attempt is never started, from what `started` says; undefined: it was. */
export function whyNever(started: string): string | undefined {
  if (started.startsWith('{')) return 'its folder could not be written: the disk is full, or has no inodes left'
  const [, why] = /^never(?:: (.*))?\n$/s.exec(started) ?? [undefined, undefined]
  return started.startsWith(NEVER) ? (why ?? 'stopped before it began') : undefined
}
