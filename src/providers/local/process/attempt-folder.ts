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
 * The folders of attempts: `order` is the request, `started` names the process, `exit` says how it ended, `stopping` since
 * when it is being stopped. Each file is written atomically and once, by the first writer. A file that exists but cannot be
 * read throws `Unreadable`: that is not the same as no file.
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

  /** Writes the note unless an earlier call has written one. */
  claim(attempt: string, note: Note): void {
    mkdirSync(this.pathOf(attempt, 'work'), { recursive: true, mode: 0o700 })
    this.writeOnce(attempt, 'order', writeNote(note))
  }

  /** Undefined: there is none, because the folder is being created or removed right now. */
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

  /** Writes the file atomically; false: another writer was faster. */
  writeOnce(attempt: string, file: MarkFile, text: string): boolean {
    const draft = this.pathOf(attempt, `${file}.${process.pid}.${this.#serial++}`)
    try {
      writeFileSync(draft, text, { mode: 0o600 })
      return this.#link(draft, this.pathOf(attempt, file))
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /** Makes sure that it is never started; false: it was started. If the disk is full, the note itself serves as the mark. */
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

  /** Forgets everything except the name. */
  forget(attempt: string): void {
    this.#started.delete(attempt)
    writeFileSync(join(this.#past, attempt), '', { mode: 0o600 })
    // Moved away in one step, so that no reader ever sees half of a folder.
    const dead = join(this.#past, `${attempt}${REMOVED}${process.pid}.${this.#serial++}`)
    renameSync(this.pathOf(attempt), dead)
    this.remover.remove(dead)
  }

  /** Removes a folder without a note. */
  drop(attempt: string): void {
    if (!this.has(attempt, 'order')) rmSync(this.pathOf(attempt), { recursive: true, force: true })
  }

  isPast(attempt: string): boolean {
    return existsSync(join(this.#past, attempt))
  }

  /** Forgets names that no call can refer to any more. */
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

/** Part of the name of a folder that is being removed; names of attempts have no dot. */
const REMOVED = '.removed'

/** `started` begins with this if the attempt is never started; the reason follows. */
const NEVER = 'never'

/** Why an attempt is never started, from the content of `started`; undefined: it was started. */
export function whyNever(started: string): string | undefined {
  if (started.startsWith('{')) return 'its folder could not be written: the disk is full, or has no inodes left'
  const [, why] = /^never(?:: (.*))?\n$/s.exec(started) ?? [undefined, undefined]
  return started.startsWith(NEVER) ? (why ?? 'stopped before it started') : undefined
}
