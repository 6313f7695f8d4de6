import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'
import { httpBerth } from '../../src/client/client.ts'
import { UserError } from '../../src/core/base/problem.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { Secret } from '../../src/ports/secret.ts'

// The real control plane with real processes, and people who are not its administrator.

const CONFIG = `berth: v1
kind: config
default_policy: at-home
providers:
  here: { kind: local, settings: { runtime: process, cpu: 64, memory: 64Gi } }
  toy: { kind: sim, settings: { start_seconds: [0, 0], stop_seconds: [0, 0] } }
policies:
  at-home:
    providers: { allow: [here] }
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota] }
`

const folder = mkdtempSync(join(tmpdir(), 'berth-roles-'))
let plane: RealPlane

beforeAll(async () => {
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  plane = new RealPlane({ folder: join(folder, 'data'), config })
  expect(await plane.start()).toBe(true)
})
afterAll(async () => {
  await plane.kill()
  rmSync(folder, { recursive: true, force: true })
})

test('a sole administrator runs processes at once; with other users a project needs permission; each project has its own secrets', async () => {
  const admin = as(plane.token)
  await run(admin, 'default', 'alone')
  await printed(admin, { project: 'default', name: 'alone' }, 'KEY is not set')

  // The first token for another user ends that, and the answer says so.
  const made = await admin.createToken({ name: 'al', role: 'writer', projects: ['alpha'], ttl_ms: 3_600_000 })
  expect(made.note).toContain(
    'berth project set default --processes. Programs of default that run there now keep running, but are not started again when they end.',
  )
  expect(made.note).toContain('There was no project alpha until now.')
  await admin.setProject({ project: 'alpha' })
  const writer = as(made.token)
  expect(await refusal(run(writer, 'alpha', 'mine'))).toContain('project alpha has no permission for that')
  expect(await refusal(run(admin, 'default', 'more'))).toContain('project default has no permission for that')
  await until('what ran goes on', { withinMs: 10_000 }, async () => {
    const { ready, restarts } = await admin.workload({ project: 'default', name: 'alone' })
    return ready === 1 && restarts === 0 ? { found: true } : `${ready} ready, ${restarts} restarts`
  })
  expect((await admin.explain({ project: 'default', name: 'alone' })).notes).toEqual([
    'Project default may no longer use here: what runs there keeps running, but nothing new is placed there.',
  ])

  for (const project of ['alpha', 'default']) {
    await admin.setProject({ project, processes: true })
    await admin.setSecret({ project, name: 'KEY', value: `the key of ${project}` })
  }
  await run(writer, 'alpha', 'mine', 'secrets: [KEY]')
  await run(admin, 'default', 'more', 'secrets: [KEY]')
  await printed(writer, { project: 'alpha', name: 'mine' }, 'the key of alpha')
  await printed(admin, { project: 'default', name: 'more' }, 'the key of default')
})

function as(token: string): Berth {
  return httpBerth({
    url: plane.url,
    token: new Secret(token),
    fetch,
    timers: { sleep: (ms) => sleep(ms) },
    random: { next: Math.random, id: () => randomBytes(12).toString('hex') },
  })
}

async function run(berth: Berth, project: string, name: string, more = ''): Promise<void> {
  const print = `echo "\${KEY:-KEY is not set}"; sleep 60`
  const command = JSON.stringify(['sh', '-c', print])
  const text = `berth: v1\nkind: service\nname: ${name}\nimage: a\ncommand: ${command}\nresources: { cpu: 0.1 }\n${more}\n`
  await berth.apply({ project, text, file: 'f', idempotencyKey: randomBytes(8).toString('hex') })
}

async function refusal(doing: Promise<unknown>): Promise<string> {
  try {
    await doing
    return ''
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

async function printed(berth: Berth, at: { project: string; name: string }, text: string): Promise<void> {
  const query = { slot: undefined, follow: false, tail: undefined }
  await until(`${at.name} prints ${text}`, { withinMs: 20_000 }, async () => {
    const lines: string[] = []
    try {
      for await (const line of berth.logs({ ...at, ...query }, AbortSignal.timeout(5000))) lines.push(line.text)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
    }
    return lines.includes(text) ? { found: true } : lines.join('\n')
  })
}
