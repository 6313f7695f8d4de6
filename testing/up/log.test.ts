import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../house/files.ts'
import { NODE, programOf } from '../plane/program.ts'
import { makeLog } from '../../src/cli/log.ts'

function lines(format: 'json' | 'text') {
  const written: string[] = []
  return { log: makeLog({ write: (line) => written.push(line), format }), written }
}

const REQUEST = { request_id: 'r1', route: 'GET /v2/workloads/:name', status: 200, ms: 3, actor: 'ci' }

describe('the log for people', () => {
  test('has one short line for each request', () => {
    const { log, written } = lines('text')
    log.info('request', REQUEST)
    expect(written).toEqual(['GET /v2/workloads/:name 200 3 ms request=r1 actor=ci\n'])
  })

  test('says how grave everything else is, and leaves out what is not known', () => {
    const { log, written } = lines('text')
    log.info('leading', { term: 3 })
    log.warn('stopping an orphan', { provider: 'toy', instance: undefined })
    expect(written).toEqual(['info: leading term=3\n', 'warn: stopping an orphan provider=toy\n'])
  })

  test('stays one line whatever a provider says', () => {
    const { log, written } = lines('text')
    log.error('it failed', { why: 'one\nerror: two\r\u001b[2J' })
    expect(written).toEqual(['error: it failed why=one error: two [2J\n'])
  })
})

test('the log for machines has the same as one object a line', () => {
  const { log, written } = lines('json')
  log.info('request', REQUEST)
  expect(written).toHaveLength(1)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ level: 'info', message: 'request', ...REQUEST })
})

test('berth up tells people of each request, and of no secret in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-log-'))
  const flags = ['--data', folder, '--listen', '127.0.0.1:0', '--log', 'text']
  const argv = [...programOf('up'), 'up', ...flags]
  const env = { ...process.env, XDG_CONFIG_HOME: folder }
  const child = spawn(NODE, argv, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const token = readFileSync(join(folder, 'admin.token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'mine' }
    const body = JSON.stringify({ value: 'a-value-to-hide' })
    const url = `${String(line).replace('berth is up at ', '')}/v2/projects/default/secrets/KEY`
    const answer = await fetch(url, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(200)
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(said).toMatch(/^PUT \/v2\/projects\/:project\/secrets\/:name 200 \d+ ms request=mine actor=admin$/m)
    for (const hidden of [token, 'a-value-to-hide']) expect(said).not.toContain(hidden)
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
