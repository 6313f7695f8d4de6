import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'

const CONFIG = 'berth: v1\nkind: config\nproviders: { here: { kind: local, settings: { runtime: process } } }\n'
const SECRETS = 200

test('a control plane that is killed while it rotates the key loses no secret and goes on with the same key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-rotate-'))
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  const plane = new RealPlane({ folder: join(folder, 'data'), config })
  onTestFinished(async () => {
    await plane.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  expect(await plane.start()).toBe(true)
  const client = () => plane.client({ tries: 'several', timeoutMs: 20_000 })
  const names = Array.from({ length: SECRETS }, (_, index) => `SECRET_${index}`)
  await Promise.all(names.map((name) => client().setSecret({ project: 'default', name }, `value of ${name}`)))

  const keyFile = join(folder, 'data', 'vault.key')
  const [old] = keysIn(keyFile)
  const cut = plane
    .client({ tries: 'once', timeoutMs: 20_000 })
    .rotateSecrets('first')
    .then(
      () => 'answered',
      () => 'cut off',
    )
  await until('the new key is in use', { withinMs: 20_000, everyMs: 1 }, async () =>
    keysIn(keyFile)[0] !== old && !existsSync(`${keyFile}.lock`) ? { found: true } : 'the old key is still in use',
  )
  await plane.kill()
  expect(await cut).toBe('cut off')

  const [key] = keysIn(keyFile)
  expect(await plane.start()).toBe(true)
  expect(plane.lines().filter((line) => JSON.stringify(line).includes('cannot be decrypted'))).toEqual([])
  expect(await client().rotateSecrets('second')).toEqual({ key, secrets: SECRETS, credentials: 0, unopened: [] })
  expect(keysIn(keyFile)).toEqual([key, old])
})

function keysIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => line.split(' ')[1] ?? '')
}
