import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeCloud } from '../clouds/fake-cloud.ts'
import { fakeRunpod } from '../clouds/runpod.ts'
import { ROOT } from '../house/files.ts'
import { RealPlane, until } from '../plane/plane.ts'

// The key of a rented cloud, from the command line to the vault of a real control plane and to a pretended cloud.

const folder = mkdtempSync(join(tmpdir(), 'berth-key-'))
const SECOND_KEY = 'rpa_second_0123456789abcdefghijklmnop'
const WRONG_KEY = 'rpa_wrong_0123456789abcdefghijklmnopq'
let cloud: FakeCloud
let plane: RealPlane

beforeAll(async () => {
  cloud = await FakeCloud.open(fakeRunpod, () => Date.now())
  const config = join(folder, 'c.yaml')
  writeFileSync(
    config,
    'berth: v1\nkind: config\nproviders:\n  toy: { kind: sim, settings: { offers: [{ instance: m, region: r, gpu: { model: l4 }, cpu: 8, memory: 32Gi, usd_per_hour: 0.5 }] } }\n',
  )
  plane = new RealPlane({ folder: join(folder, 'data'), config })
  await plane.start()
}, 120_000)

afterAll(async () => {
  await plane.stop()
  await cloud.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ran {
  readonly code: number | null
  readonly said: string
}

/** Runs a command as a user would; the pretended cloud answers meanwhile. */
async function berth(line: string, { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}) {
  const home = { XDG_CONFIG_HOME: join(folder, 'data', 'config') }
  const target = { BERTH_URL: plane.url, BERTH_TOKEN: plane.token }
  const child = spawn(join(ROOT, 'bin/berth'), line.split(' '), { env: { ...process.env, ...home, ...target, ...env } })
  child.stdin.end(input)
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ])
  const ran: Ran = { code, said: `${out}${err}` }
  return ran
}

function add(flags: string): string {
  return `provider add pods --kind runpod --set endpoint=${cloud.url} --set internal=true --set ports=direct ${flags}`
}

function isWritten(value: string): boolean {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return files.filter((path) => statSync(path).isFile()).some((path) => readFileSync(path).includes(value))
}

/** The state of each provider, as the control plane knows it. */
async function reachable(name: string): Promise<boolean | undefined> {
  const providers = await plane.client({ tries: 'several', timeoutMs: 10_000 }).providers()
  return providers.find((one) => one.name === name)?.reachable
}

test(
  'a key is taken from a pipe, a file or a variable, tried, sealed, and never shown',
  { timeout: 300_000 },
  async () => {
    const wrong = await berth(add('--key-file -'), { input: `${WRONG_KEY}\n` })
    expect(wrong.code).toBe(4)
    expect(wrong.said).toContain('AUTH')
    const right = await berth(add('--key-env POD_KEY'), { env: { POD_KEY: fakeRunpod.key } })
    expect([right.code, right.said]).toEqual([0, expect.stringContaining('pods passes all checks.')])

    // Another key, without a restart: the cloud takes only the new one from now on.
    cloud.key = SECOND_KEY
    const refused = await berth('provider test pods')
    expect([refused.code, refused.said]).toEqual([4, expect.stringContaining('AUTH')])
    // Only that provider is the worse for it.
    await until('the provider is told as not reachable', { withinMs: 120_000 }, async () =>
      (await reachable('pods')) === false ? { found: true } : 'it still is',
    )
    expect(await reachable('toy')).toBe(true)
    const offers = await berth('offers list -o json')
    expect(JSON.parse(offers.said).offers.map(({ provider }: { provider: string }) => provider)).toContain('toy')

    writeFileSync(join(folder, 'key.txt'), `${SECOND_KEY}\n`)
    const rotated = await berth(add(`--key-file ${join(folder, 'key.txt')}`))
    expect([rotated.code, rotated.said]).toEqual([0, expect.stringContaining('pods passes all checks.')])
    rmSync(join(folder, 'key.txt'))
    for (const key of [WRONG_KEY, fakeRunpod.key, SECOND_KEY]) {
      expect([wrong, right, refused, offers, rotated].some(({ said }) => said.includes(key))).toBe(false)
      expect([key, isWritten(key)]).toEqual([key, false])
    }
  },
)

test('a key that is missing is asked for before anything is added', { timeout: 60_000 }, async () => {
  const { code, said } = await berth('provider add bare --kind lambda --set ssh_key=ops')
  expect([code, said]).toEqual([3, expect.stringContaining('SECRET_EMPTY')])
  expect((await berth('provider ls')).said).not.toContain('bare')
})
