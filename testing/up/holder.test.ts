import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holderOf, isDeadHere } from '../../src/up/holder.ts'

/** The name that a process with this number would have given itself. */
function nameOf(pid: number): string {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const started = text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  return holderOf('x').replace(/^(\w+):\d+:\d+:/, (_, place) => `${place}:${pid}:${started}:`)
}

test('a process that runs is not dead', () => {
  expect(holderOf('abc')).toMatch(new RegExp(String.raw`^[0-9a-f]{12}:${process.pid}:\d+:abc$`))
  expect(isDeadHere(`${holderOf('abc')}-1`)).toBe(false)
})

test('a process is dead once it was killed, and not while it is frozen', async () => {
  const child = spawn('sleep', ['60'])
  const name = nameOf(child.pid ?? 0)
  child.kill('SIGSTOP')
  expect(isDeadHere(name)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isDeadHere(name)).toBe(true)
})

test('a number that another process has by now is no sign of life', () => {
  const [place, pid, started] = holderOf('x').split(':')
  expect(isDeadHere(`${place}:${pid}:${Number(started) - 1}:x-1`)).toBe(true)
})

test.each(['', 'p0l1-1', '1234-abc-1', '000000000000:1:1:x-1', 'unknown:1:1:x-1', ':::', 'unknown:1'])(
  'nobody can tell from %j',
  (holder) => expect(isDeadHere(holder)).toBe(false),
)

test('where the system tells nothing of processes, nobody is called dead', () => {
  const holder = holderOf('x', '/nowhere')
  expect(holder).toBe(`unknown:${process.pid}:unknown:x`)
  expect(isDeadHere(holder, { proc: '/nowhere' })).toBe(false)
})

describe('a process that cannot be looked at', () => {
  /** As `/proc` is where it shows nobody but oneself: mounted with `hidepid`, or out of descriptors. */
  const hiding = (): string => {
    const proc = mkdtempSync(join(tmpdir(), 'berth-proc-'))
    mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true })
    mkdirSync(join(proc, 'self/ns'), { recursive: true })
    writeFileSync(join(proc, 'sys/kernel/random/boot_id'), readFileSync('/proc/sys/kernel/random/boot_id'))
    symlinkSync(readlinkSync('/proc/self/ns/pid'), join(proc, 'self/ns/pid'))
    return proc
  }
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code })
  }

  test.each(['EPERM', 'EACCES', 'EMFILE', 'EIO'])('is not dead for that: %s', (code) => {
    const proc = hiding()
    expect(isDeadHere(holderOf('x'), { proc, signal: failing(code) })).toBe(false)
    expect(isDeadHere(holderOf('x'), { proc, signal: () => undefined })).toBe(false)
    expect(isDeadHere(holderOf('x'), { proc, signal: failing('ESRCH') })).toBe(true)
    rmSync(proc, { recursive: true })
  })
})
