import { UserError } from '../../core/base/problem.ts'
import { readFleetFile, type FleetFile } from '../../formats/fleet-file/fleet-file.ts'
import type { Cli } from '../cli.ts'

/** The fleet in a file. Throws a UserError with every problem when the file cannot be read. */
export function loadFleet(path: string, { files }: Pick<Cli, 'files'>): FleetFile {
  const bytes = files.list(path) === undefined ? files.read(path) : undefined
  if (bytes === undefined) {
    const hint = 'Check the path; `-` reads from standard input. docs/fleet.md shows what a fleet file looks like.'
    throw new UserError([{ code: 'FILE_MISSING', message: `There is no file ${path} to read.`, found: path, hint }])
  }
  const read = readFleetFile(bytes, path === '-' ? 'stdin' : path)
  if ('problems' in read) throw new UserError(read.problems)
  return read
}
