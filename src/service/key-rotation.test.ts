import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Info } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import { openVault } from '../vault/vault.ts'
import type { ServiceDeps } from './deps.ts'
import { answerRotation, rotateSecrets } from './key-rotation.ts'
import { ADMIN, refusalOf, service, trailOf } from './platform.suite.ts'
import { closedSecrets, setCredential, setSecret } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-rotation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

type Planted = ServiceDeps & { readonly keyFile: string; readonly keys: () => readonly string[] }

/** Three secrets of two projects, and a credential. */
async function planted(): Promise<Planted> {
  const keyFile = join(folder, `key-${++files}`)
  const deps = { ...service(), vault: openVault({ keyFile }) }
  for (const at of ['one/A', 'one/B', 'two/A']) {
    const [project = '', name = ''] = at.split('/')
    await setSecret(deps, ADMIN, { at: { project, name }, value: new Secret(`value of ${at}`) })
  }
  await setCredential(deps, ADMIN, { name: 'CLOUD', value: new Secret('value of CLOUD') })
  return { ...deps, keyFile, keys: () => keysIn(keyFile) }
}

/** Ids of the keys in the file, the one that seals first. */
function keysIn(keyFile: string): readonly string[] {
  const lines = readFileSync(keyFile, 'utf8').trim().split('\n')
  return lines.map((line) => line.split(' ')[1] ?? '')
}

/** Ids of the keys that the secrets are sealed with. */
async function usedIn({ store }: ServiceDeps): Promise<readonly (string | undefined)[]> {
  const rows = await store.list('secret', { limit: 100 })
  return [...new Set(rows.map(({ body }) => body.sealed.split('.')[1]))]
}

describe('rotating the key', () => {
  test('encrypts every secret and credential under a new key, keeps the old one, and leaves no row of its own', async () => {
    const deps = await planted()
    const [old] = deps.keys()
    const view = await rotateSecrets(deps, ADMIN, undefined)
    expect(view).toEqual({ key: expect.stringMatching(/^[0-9a-f]{12}$/), secrets: 3, credentials: 1, unopened: [] })
    expect(deps.keys()).toEqual([view.key, old])
    expect(await usedIn(deps)).toEqual([view.key])
    expect(await closedSecrets(deps)).toEqual([])
    expect(await deps.store.list('setting', { prefix: 'key-', limit: 10 })).toEqual([])
    expect(await trailOf(deps)).toEqual(
      expect.arrayContaining([
        `ada key.create * key/${view.key} {}`,
        'ada secret.rotate one secret/A {"version":1}',
        'ada secret.rotate * secret/CLOUD {"version":1}',
        `ada key.rotate * key/${view.key} {"secrets":3,"credentials":1,"unopened":0}`,
      ]),
    )
  })

  test('names what it cannot decrypt, and leaves it as it is', async () => {
    const deps = await planted()
    const body = { version: 1, sealed: 'v1.x', createdMs: 0 }
    await deps.store.commit({ writes: [{ kind: 'secret', key: 'two/BROKEN', body }] })
    expect(await rotateSecrets(deps, ADMIN, undefined)).toMatchObject({
      secrets: 3,
      unopened: [{ project: 'two', name: 'BROKEN' }],
    })
    expect((await deps.store.get('secret', 'two/BROKEN'))?.body).toEqual(body)
  })

  test('of an installation without secrets makes the key that the first one gets', async () => {
    const deps = service()
    expect(await rotateSecrets(deps, ADMIN, undefined)).toMatchObject({ secrets: 0, credentials: 0 })
  })

  test('once with each idempotency key, whose repetition has the same answer', async () => {
    const deps = await planted()
    const once = { project: '', key: 'k', fingerprint: 'f' }
    const first = await rotateSecrets(deps, ADMIN, once)
    const keys = deps.keys()
    const audit = await trailOf(deps)
    expect(await rotateSecrets(deps, ADMIN, once)).toEqual(first)
    expect(deps.keys()).toEqual(keys)
    expect(await trailOf(deps)).toEqual(audit)
    expect((await rotateSecrets(deps, ADMIN, { ...once, key: 'other' })).key).not.toBe(first.key)
    expect(deps.keys()).toHaveLength(3)
  })

  test('several times at once ends with every secret under one key', async () => {
    const deps = await planted()
    await Promise.all([1, 2, 3].map(() => rotateSecrets(deps, ADMIN, undefined)))
    expect(await usedIn(deps)).toEqual([deps.keys()[0]])
    expect(await closedSecrets(deps)).toEqual([])
  })

  test('after a crash at any commit loses nothing, and goes on with the same key', async () => {
    for (let commits = 0; ; commits++) {
      const deps = await planted()
      const crashed = await rotateSecrets(dyingAfter(deps, commits), ADMIN, undefined).catch(() => 'crashed')
      const restarted = { ...deps, vault: openVault(deps) }
      expect(await closedSecrets(restarted)).toEqual([])
      if (crashed !== 'crashed') {
        expect(commits).toBe(6)
        return
      }
      const view = await rotateSecrets(restarted, ADMIN, undefined)
      expect(view).toMatchObject({ secrets: 3, credentials: 1, unopened: [] })
      expect(deps.keys(), `after ${commits} commits`).toEqual([view.key, expect.any(String)])
      expect(await usedIn(deps)).toEqual([view.key])
    }
  })
})

/** The process ends with the commit after these. */
function dyingAfter(deps: Planted, commits: number): ServiceDeps {
  let left = commits
  const commit: ServiceDeps['store']['commit'] = async (change) => {
    if (left-- <= 0) throw new Error('the process has ended')
    return deps.store.commit(change)
  }
  return { ...deps, store: { ...deps.store, commit } }
}

describe('with several control planes on one database', () => {
  /** The first one rotates, and each looks for a rotation while the first one waits. */
  async function planes(...others: readonly { readonly keyFile?: string; readonly leader?: boolean }[]) {
    const first = await planted()
    const info = (leader: boolean) => (): Omit<Info, 'now_ms'> => ({ ...first.info(), store: 'postgres', leader })
    const all = [{ leader: others.every(({ leader }) => leader !== true) }, ...others].map((plane, index) => ({
      vault: index === 0 ? first.vault : openVault({ keyFile: first.keyFile, ...plane }),
      store: first.store,
      info: info(plane.leader === true),
      name: { id: `plane-${index}`, name: `host-${index}, process 7` },
    }))
    const silent = new Set<number>()
    const sleep = async (): Promise<void> => {
      for (const [index, plane] of all.entries()) if (!silent.has(index)) await answerRotation(plane, plane.name)
    }
    return { ...first, info: all[0]?.info ?? first.info, timers: { sleep }, all, silent }
  }

  test('that share the key file, all of them decrypt what was rotated, and seal with the new key', async () => {
    const deps = await planes({}, { leader: true })
    const { key } = await rotateSecrets(deps, ADMIN, undefined)
    for (const { vault, store } of deps.all) {
      expect(await closedSecrets({ vault, store })).toEqual([])
      expect(vault.seal(new Secret('value'), 'x').split('.')[1]).toBe(key)
    }
    expect(await deps.store.list('setting', { prefix: 'key-', limit: 10 })).toEqual([])
  })

  test('of which one has a key file of its own, nothing is encrypted with a key that it lacks', async () => {
    const own = join(folder, 'own')
    const deps = await planes({ keyFile: own }, {})
    const before = await usedIn(deps)
    const [refused] = await refusalOf(rotateSecrets(deps, ADMIN, undefined))
    expect(refused).toMatch(
      /^KEY_NOT_SHARED: The new key [0-9a-f]{12} is missing in the key file of the control plane host-1, process 7\. No secret/,
    )
    expect(await usedIn(deps)).toEqual(before)
    expect(deps.vault.seal(new Secret('value'), 'x').split('.')[1]).toBe(before[0])
    // The operator copies the file.
    const [, next] = deps.keys()
    for (const plane of deps.all) plane.vault = openVault(deps)
    const { key } = await rotateSecrets(deps, ADMIN, undefined)
    expect(key).toBe(next)
    expect(deps.keys()).toHaveLength(2)
  })

  test('a leader that does not answer may lack the key', async () => {
    const deps = await planes({ leader: true })
    deps.silent.add(1)
    expect(await refusalOf(rotateSecrets(deps, ADMIN, undefined))).toEqual([
      expect.stringContaining('the leading control plane did not say within 5 seconds'),
    ])
    deps.silent.clear()
    expect(await rotateSecrets(deps, ADMIN, undefined)).toMatchObject({ secrets: 3 })
  })

  test('a rotation that another one replaced while it asked is given up', async () => {
    const deps = await planes()
    let sleeps = 0
    const sleep = async (): Promise<void> => {
      await deps.timers.sleep()
      if (++sleeps === 3)
        await deps.store.commit({ writes: [{ kind: 'setting', key: 'key-rotation', body: { value: 'other' } }] })
    }
    const before = await usedIn(deps)
    const [refused] = await refusalOf(rotateSecrets({ ...deps, timers: { sleep } }, ADMIN, undefined))
    expect(refused).toContain('CHANGED_MEANWHILE')
    expect(await usedIn(deps)).toEqual(before)
  })
})
