import { createWriteStream, openSync, readSync, rmSync, closeSync } from 'node:fs'
import { VERSION } from '../api/version.ts'
import { FULL_LINE, headLine, RECORDING } from '../controller/step/recording.ts'
import { UserError } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'

/** The length of a recording at most, and how much of it may wait for the disk. */
const BYTES_MOST = 256 * 2 ** 20
const WAITING_MOST = 64 * 2 ** 20

export interface Recording {
  readonly record: (line: string) => void
  /** Resolves once everything is written. */
  readonly close: () => Promise<void>
}

/** Opens a file for what the leader learns and decides. Only this user can read it. Throws a UserError if it cannot be written. */
export function openRecording(path: string, log: Log, bytesMost = BYTES_MOST): Recording {
  removeEarlier(path)
  const stream = createWriteStream(path, { fd: create(path) })
  let left = bytesMost
  let isOpen = true
  const end = (why: string): void => {
    if (!isOpen) return
    isOpen = false
    log.warn('the recording has ended; the control plane goes on', { file: path, why })
    stream.end()
  }
  stream.on('error', ({ message }) => end(message))
  const record = (line: string): void => {
    if (!isOpen) return
    left -= Buffer.byteLength(line) + 1
    if (left >= 0 && stream.writableLength <= WAITING_MOST) return void stream.write(`${line}\n`)
    stream.write(`${FULL_LINE}\n`)
    end(left < 0 ? `it may have ${bytesMost / 2 ** 20} MiB at most` : 'the disk is too slow for it')
  }
  record(headLine(VERSION))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      isOpen = false
      if (stream.closed || stream.destroyed) resolve()
      else stream.once('close', resolve).end()
    })
  return { record, close }
}

/** An earlier recording is replaced, and nothing else is. */
function removeEarlier(path: string): void {
  const start = startOf(path)
  if (start === undefined) return
  if (start !== '' && !start.startsWith(`{"recording":"${RECORDING}"`)) {
    const message = `${path} already exists and is not a recording.`
    const hint = 'Nothing was started. Choose another name, or remove the file first.'
    throw new UserError([{ code: 'FILE_IN_THE_WAY', message, found: path, hint }])
  }
  rmSync(path)
}

/** The first characters of a file; undefined: there is none. */
function startOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    const bytes = Buffer.alloc(64)
    const count = readSync(file, bytes)
    closeSync(file)
    return bytes.toString('utf8', 0, count)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw notWritten(path)
  }
}

function create(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch {
    throw notWritten(path)
  }
}

function notWritten(path: string): UserError {
  const hint = 'Check that the folder exists and is writable.'
  const message = `The recording could not be written to ${path}.`
  return new UserError([{ code: 'FILE_NOT_WRITTEN', message, found: path, hint }])
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
