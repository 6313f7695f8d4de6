import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { findPostgres, startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { RealPlane, until } from '../plane/plane.ts'

const CONFIG = 'berth: v1\nkind: config\nproviders: { here: { kind: local, settings: { runtime: process } } }\n'
const SECRETS = 200
const KILLS_MAX = 5

test('a control plane that is killed while it rotates the key loses no secret and goes on with the same key', async () => {
  const { planeIn } = place()
  const { plane, keyFile } = planeIn('data')
  expect(await plane.start()).toBe(true)
  const client = () => plane.client({ tries: 'several', timeoutMs: 20_000 })
  const names = Array.from({ length: SECRETS }, (_, index) => `SECRET_${index}`)
  await Promise.all(names.map((name) => client().setSecret({ project: 'default', name, value: `value of ${name}` })))

  // On a busy machine the kill may come too late.
  let before = keysIn(keyFile)
  for (let kills = 1; (await rotateAndKill(plane, keyFile)) === 'answered'; kills++) {
    expect(kills).toBeLessThan(KILLS_MAX)
    expect(await plane.start()).toBe(true)
    before = keysIn(keyFile)
  }

  const [key] = keysIn(keyFile)
  expect(await plane.start()).toBe(true)
  expect(closedIn(plane)).toEqual([])
  expect(await client().rotateSecrets({ idempotencyKey: 'again' })).toEqual({
    key,
    secrets: SECRETS,
    credentials: 0,
    unopened: [],
  })
  expect(keysIn(keyFile)).toEqual([key, ...before])
})

/** Kills it as soon as the new key is in use. */
async function rotateAndKill(plane: RealPlane, keyFile: string): Promise<'answered' | 'cut off'> {
  const [old = ''] = keysIn(keyFile)
  const rotating = plane.client({ tries: 'once', timeoutMs: 20_000 }).rotateSecrets({ idempotencyKey: `after-${old}` })
  const outcome = rotating.then(
    () => 'answered' as const,
    () => 'cut off' as const,
  )
  await until('the new key is in use', { withinMs: 20_000, everyMs: 1 }, async () =>
    keysIn(keyFile)[0] !== old && !existsSync(`${keyFile}.lock`) ? { found: true } : 'the old key is still in use',
  )
  await plane.kill()
  return outcome
}

const hasPostgres = findPostgres() !== undefined
if (!hasPostgres) test.skip('needs PostgreSQL: install it to run these tests')
test.skipIf(!hasPostgres || !IS_WHOLE)(
  'a key that one of two control planes lacks encrypts nothing until it has the key',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const { planeIn } = place(postgres.url)
    const [one, two] = [planeIn('one'), planeIn('two')]
    expect(await one.plane.start()).toBe(true)
    const berthAt = ({ plane }: typeof one) =>
      plane.client({ tries: 'several', timeoutMs: 20_000, token: one.plane.token })
    await berthAt(one).setSecret({ project: 'default', name: 'PASSWORD', value: 'a value' })
    copyFileSync(one.keyFile, two.keyFile)
    expect(await two.plane.start()).toBe(true)

    await expect(berthAt(one).rotateSecrets({ idempotencyKey: 'first' })).rejects.toThrow(`process ${two.plane.pid}`)
    const [old, next] = keysIn(one.keyFile)
    expect(keysIn(two.keyFile)).toEqual([old])

    copyFileSync(one.keyFile, two.keyFile)
    expect(await berthAt(two).rotateSecrets({ idempotencyKey: 'second' })).toMatchObject({
      key: next,
      secrets: 1,
      unopened: [],
    })
    expect(keysIn(two.keyFile)).toEqual([next, old])
    await one.plane.stop()
    expect(await one.plane.start()).toBe(true)
    expect([...closedIn(one.plane), ...closedIn(two.plane)]).toEqual([])
  },
)

/** A folder for the data of control planes, which end with the test. */
function place(database?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-rotate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  const planeIn = (name: string) => {
    const data = join(folder, name)
    mkdirSync(data)
    const plane = new RealPlane({ folder: data, config, ...(database !== undefined && { database }) })
    onTestFinished(() => plane.kill())
    return { plane, keyFile: join(data, 'vault.key') }
  }
  return { planeIn }
}

/** Ids of the keys in the file, the one that encrypts first. */
function keysIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => line.split(' ')[1] ?? '')
}

function closedIn(plane: RealPlane): readonly unknown[] {
  return plane.lines().filter((line) => JSON.stringify(line).includes('cannot be decrypted'))
}
