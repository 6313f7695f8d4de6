import { UserError } from '../../core/base/problem.ts'
import type { Cli } from '../cli.ts'

/** The value without the newline that editors and `echo` append. */
export function valueFrom(path: string, { files }: Cli): { readonly value: string; readonly isCut: boolean } {
  const bytes = files.read(path)
  if (bytes === undefined) {
    const message = `There is no file ${path} to read.`
    throw new UserError([{ code: 'FILE_MISSING', message, found: path, hint: 'Check the path and its permissions.' }])
  }
  const text = decoded(bytes, path)
  const value = text.replace(/\r?\n$/, '')
  if (value !== '') return { value, isCut: value !== text }
  const hint = 'Pipe the value in, or name a file with --from-file.'
  throw new UserError([{ code: 'SECRET_EMPTY', message: 'The value is empty.', hint }])
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const from = path === '-' ? 'standard input' : path
    const message = `The contents of ${from} are not text, and an environment variable can hold only text.`
    const hint = 'Encode it, for example with base64, and decode it where it is used.'
    throw new UserError([{ code: 'SECRET_UNFIT', message, hint }])
  }
}
