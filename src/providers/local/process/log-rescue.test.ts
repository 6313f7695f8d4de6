import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SHIM } from './shim.ts'

function folderWithPipe(): { readonly folder: string; readonly pipe: string; readonly shim: string } {
  const folder = mkdtempSync(join(tmpdir(), 'berth-rescue-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [pipe, shim] = [join(folder, 'pipe.1'), join(folder, 'shim.sh')]
  execFileSync('mkfifo', [pipe])
  writeFileSync(shim, SHIM)
  writeFileSync(join(folder, 'log'), '')
  return { folder, pipe, shim }
}

test('a reader that comes after the last process that prints ends at once', () => {
  const { folder, pipe, shim } = folderWithPipe()
  execFileSync('/bin/sh', [shim, 'read', folder, '1024', pipe], { timeout: 20_000, killSignal: 'SIGKILL' })
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('')
})

test('a reader that comes in time copies what is printed, and ends with it', () => {
  const { folder, pipe, shim } = folderWithPipe()
  const both = `exec 3<> "$1"; printf 'last words\\n' >&3; exec /bin/sh "$2" read "$3" 1024 "$1"`
  execFileSync('/bin/sh', ['-c', both, 'sh', pipe, shim, folder], { timeout: 20_000, killSignal: 'SIGKILL' })
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('last words\n')
})
