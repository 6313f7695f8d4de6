import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ROOT } from '../house/files.ts'
import { NODE, programOf } from '../plane/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-connection-'))
const planes = new Set<ChildProcess>()

afterEach(async () => {
  for (const plane of planes) await ended(plane)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a second control plane of the same user', () => {
  test('leaves the commands to the first while that answers, and says how to reach itself', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const first = await up(home)
    expect(first.said).toContain('your other commands find it there')
    const second = await up(home)
    expect(second.said).toContain(`your other commands still go to ${first.url}, which was there first`)
    expect(targetOf(home, [])).toBe(first.provider)
    expect(targetOf(home, ['--token-file', join(second.data, 'connection.json')])).toBe(second.provider)
  })

  test('takes the place of one that is gone, names it and keeps what led there', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const first = await up(home)
    await ended(first.process)
    const second = await up(home)
    expect(second.said).toContain(`until now they went to ${first.url}, which does not answer; its file is kept as `)
    expect(existsSync(join(home, 'berth/connection.json.before'))).toBe(true)
    expect(targetOf(home, [])).toBe(second.provider)
  })

  test('is none where the same one comes back on another port', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const first = await up(home)
    await ended(first.process)
    const again = await up(home, first.data)
    expect(again.said).not.toContain(first.url)
    expect(targetOf(home, [])).toBe(first.provider)
  })
})

interface Plane {
  readonly process: ChildProcess
  readonly url: string
  readonly data: string
  /** Its only provider, by which it is known. */
  readonly provider: string
  /** What it printed when it was up. */
  readonly said: string
}

/** Starts one with `home` as the user's config folder and waits until it has said everything. */
async function up(home: string, data = mkdtempSync(join(folder, 'data-'))): Promise<Plane> {
  const provider = data
    .slice(-6)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, 'x')
  const config = join(data, 'berth.config.yaml')
  writeFileSync(config, `berth: v1\nkind: config\nproviders:\n  ${provider}: { kind: sim, trust: community }\n`)
  const flags = ['--data', data, '--config', config, '--listen', '127.0.0.1:0']
  const argv = [...programOf('up'), 'up', ...flags]
  const child = spawn(NODE, argv, { cwd: ROOT, env: envOf(home), stdio: ['ignore', 'pipe', 'ignore'] })
  planes.add(child)
  let said = ''
  for await (const line of createInterface({ input: child.stdout })) {
    said += `${line}\n`
    if (line.startsWith('Next:')) break
  }
  const [, url = ''] = /^berth is up at (\S+)/.exec(said) ?? []
  return { process: child, url, data, provider, said }
}

async function ended(plane: ChildProcess): Promise<void> {
  planes.delete(plane)
  if (plane.exitCode !== null || plane.signalCode !== null) return
  const exit = once(plane, 'exit')
  plane.kill('SIGKILL')
  await exit
}

/** The provider of the control plane that a command of this user talks to. */
function targetOf(home: string, flags: readonly string[]): unknown {
  const argv = [...programOf('berth'), 'provider', 'ls', '-o', 'json', ...flags]
  const answer: unknown = JSON.parse(execFileSync(NODE, argv, { cwd: ROOT, env: envOf(home), encoding: 'utf8' }))
  const [first] = Array.isArray(answer) ? answer : []
  return first?.name
}

function envOf(home: string): NodeJS.ProcessEnv {
  const { BERTH_URL: _url, BERTH_TOKEN: _token, ...env } = process.env
  return { ...env, XDG_CONFIG_HOME: home }
}
