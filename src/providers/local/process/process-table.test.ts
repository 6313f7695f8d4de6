import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { currentBoot, isAlive, processesWith, readIdentity, signalGroup, type Identity } from './process-table.ts'

const boot = currentBoot()

function ourselves(): Identity {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return { pid: process.pid, startTime: fields[19] ?? '', boot }
}

test('a process is alive as long as number, start and boot are its own', () => {
  expect(isAlive(ourselves(), boot)).toBe(true)
  expect(isAlive({ ...ourselves(), startTime: '1' }, boot)).toBe(false)
  expect(isAlive({ ...ourselves(), boot: 'another' }, boot)).toBe(false)
})

test('a stranger who got the number of a dead process is never signalled', async () => {
  const stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  const before: Identity = { pid: stranger.pid ?? 0, startTime: '1', boot }
  expect(signalGroup(before, 'SIGKILL', boot)).toBe(false)
  expect(stranger.exitCode).toBeNull()
  expect(process.kill(stranger.pid ?? 0, 0)).toBe(true)
  const ended = new Promise((resolve) => stranger.once('exit', (_, signal) => resolve(signal)))
  stranger.kill('SIGTERM')
  expect(await ended).toBe('SIGTERM')
})

test('processes are found by a variable, also outside their session, and not by half of its value', async () => {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: { BERTH_ATTEMPT: `a${process.pid}bc` } })
  await new Promise((resolve) => child.once('spawn', resolve))
  expect(processesWith(`BERTH_ATTEMPT=a${process.pid}bc`)).toEqual([child.pid])
  expect(processesWith(`BERTH_ATTEMPT=a${process.pid}b`)).toEqual([])
  child.kill('SIGKILL')
})

test('an identity that is damaged is none', () => {
  expect(readIdentity('12 345 0f-1\n')).toEqual({ pid: 12, startTime: '345', boot: '0f-1' })
  for (const text of ['', 'never\n', '12 345 0f-1', '12 345\n']) expect(readIdentity(text)).toBeUndefined()
})
