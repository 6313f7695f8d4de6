import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Here } from '../../ports/here.ts'
import { EXIT } from '../cli.ts'
import { leadsOut } from './sync.ts'
import { tunnels } from './tunnels.suite.ts'

const { FOLDER, made, REAL, run, served, sessions, WORK } = tunnels()

describe('berth sync', () => {
  const from = join(FOLDER, 'from')
  const long = `deep/${'x'.repeat(90)}/${'y'.repeat(90)}`
  beforeAll(() => {
    mkdirSync(join(from, long), { recursive: true })
    writeFileSync(join(from, 'run.sh'), '#!/bin/sh\n')
    chmodSync(join(from, 'run.sh'), 0o755)
    writeFileSync(join(from, long, 'ü.txt'), 'deep')
    writeFileSync(join(from, 'large'), Buffer.alloc(3_000_001, 7))
    writeFileSync(join(from, 'empty'), '')
    symlinkSync('run.sh', join(from, 'link'))
  })

  test('copies files, folders, links, long names and permissions, and replaces what is there', async () => {
    mkdirSync(join(WORK, 'app'))
    writeFileSync(join(WORK, 'app/run.sh'), 'old')
    writeFileSync(join(WORK, 'app/stays'), 'stays')
    const ran = await run(`sync ${from} web:app`)
    expect(ran).toMatchObject({ code: 0, err: '', out: '5 files, 2.9 MiB, to web:app\n' })
    expect(readFileSync(join(WORK, 'app/link'), 'utf8')).toBe('#!/bin/sh\n')
    expect(statSync(join(WORK, 'app/run.sh')).mode & 0o777).toBe(0o755)
    expect(readFileSync(join(WORK, 'app', long, 'ü.txt'), 'utf8')).toBe('deep')
    expect(readFileSync(join(WORK, 'app/large'))).toEqual(Buffer.alloc(3_000_001, 7))
    expect(readFileSync(join(WORK, 'app/stays'), 'utf8')).toBe('stays')
    const told = JSON.parse((await run(`sync ${from} web:app -o json`)).out)
    expect(told).toEqual({ name: 'web', path: 'app', files: 5, bytes: 3_000_015 })
  })

  test('links and paths that lead out are refused, and nothing is sent', async () => {
    const bad = join(FOLDER, 'bad')
    mkdirSync(join(bad, 'in'), { recursive: true })
    symlinkSync('/etc/passwd', join(bad, 'in/out'))
    symlinkSync('../../x', join(bad, 'in/up'))
    const ran = await run(`sync ${bad} web:bad`)
    expect(ran.err).toContain(`These links lead out of ${bad}: in/out, in/up`)
    expect((await run(`sync ${from} web:a/../../b`)).err).toContain('has a part `..`')
    symlinkSync(FOLDER, join(WORK, 'away'))
    const away = await run(`sync ${from} web:away`)
    expect(away).toMatchObject({ code: EXIT.notDone })
    expect(away.err).toContain('away is a link that leads out of the folder of the workload')
    writeFileSync(join(WORK, 'file'), '')
    expect((await run(`sync ${from} web:file`)).err).toContain('The folder file cannot be created or entered there')
  })

  test('an absolute path of the host itself is refused', async () => {
    const unwalled = vi.spyOn(made.deps.service.providers, 'unwalled').mockReturnValue([served.provider])
    try {
      expect((await run(`sync ${from} web:x`)).err).toContain('run as Berth’s own user')
      const ran = await run(`sync ${from} web:/tmp/x`, { who: 'admin' })
      expect(ran.err).toContain('/tmp/x is a folder of the host.')
    } finally {
      unwalled.mockRestore()
    }
  })

  test('too much, files that shrink, a folder that is not there: each says so', async () => {
    const entry = { path: 'huge', kind: 'file', bytes: 9 * 1024 ** 3, mode: 0o644, changedMs: 0, target: '' } as const
    const only = (bytes: number, size: number): Here => ({
      ...REAL,
      walk: () => [{ ...entry, bytes, read: async function* () { yield new Uint8Array(size) } }], // prettier-ignore
    })
    const huge = await run('sync x web:h', { here: only(entry.bytes, 0) })
    expect(huge.err).toContain('x has 9.0 GiB, and at most 8 GiB are sent.')
    const short = await run('sync x web:h', { here: only(100, 50) })
    expect(short.err).toContain('huge became shorter while it was read.')
    expect((await run('sync nowhere web:h')).err).toContain('There is no folder nowhere.')
    expect((await run(`sync ${from} web`)).err).toContain('web is not a workload and a folder.')
    expect((await run(`sync ${from} wbe:x`)).err).toMatch(/wbe/)
  })

  /** A file that never ends, and tells when its first piece was taken. */
  function endless(onPiece: () => void): Here {
    const read = async function* () {
      for (;;) {
        yield new Uint8Array(65_536)
        onPiece()
        await sleep(1)
      }
    }
    const entry = {
      path: 'f',
      kind: 'file',
      bytes: 7 * 1024 ** 3,
      mode: 0o644,
      changedMs: 0,
      target: '',
      read,
    } as const
    return { ...REAL, walk: () => [entry] }
  }

  test('Ctrl-C stops it and says what was sent', async () => {
    const stop = new AbortController()
    const ran = await run('sync x web:cut', { here: endless(() => stop.abort()), interrupt: stop.signal })
    expect(ran).toMatchObject({ code: EXIT.interrupted })
    expect(ran.err).toContain('Interrupted: 0 files were sent')
  })

  test('a replica that goes away says so', async () => {
    const ran = await run('sync x web:lost', { here: endless(() => sessions.at(-1)?.abort()) })
    expect(ran).toMatchObject({ code: EXIT.notDone })
    expect(ran.err).toContain('The replica went away before all files had arrived.')
  })

  test('readers may not, and it is recorded who did it', async () => {
    expect((await run(`sync ${from} web:app`, { who: 'reader' })).code).toBe(EXIT.forbidden)
    const { store } = made.deps.service
    const entries = await store.audit({ after: 0, limit: 100 })
    const syncs = entries.filter(({ action }) => action === 'sync')
    expect(syncs[0]).toMatchObject({ subject: 'workload/web', facts: { slot: '0', path: 'app' } })
  })
})

test.each([
  ['a', 'b', false],
  ['a/b', '../c', false],
  ['a/b', '../../c', true],
  ['a', '..', true],
  ['a/b/c', './../../x/../y', false],
  ['a', '/etc', true],
])('a link %s to %s leads out: %s', (path, target, isOut) => {
  expect(leadsOut({ path, target })).toBe(isOut)
})
