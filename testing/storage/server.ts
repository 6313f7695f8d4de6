import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** An rclone that can serve S3, which Debian's cannot; undefined: there is none. */
export function findS3Server(): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), '.local/bin')]
    .map((folder) => join(folder, 'rclone'))
    .find((path) => existsSync(path) && helpOf(path).includes('  s3 '))
}

function helpOf(path: string): string {
  return spawnSync(path, ['serve', '--help'], { encoding: 'utf8' }).stdout
}
