import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'
import { furnishedPlane } from '../planes.suite.ts'

async function withCredential() {
  const control = furnishedPlane()
  await control.setPlatformSecret({ name: 'CLOUD_KEY', value: 'value of the cloud' })
  return control
}

async function sealedIn({ store }: ReturnType<typeof furnishedPlane>): Promise<readonly string[]> {
  return (await store.list('secret', { limit: 10 })).map(({ body }) => body.sealed)
}

describe('berth secret rotate', () => {
  test('asks, encrypts everything under a new key, and says what to back up', async () => {
    const control = await withCredential()
    const { code, out, asked } = await berth(words('secret rotate'), { control: () => control, answers: ['y'] })
    expect(code).toBe(EXIT.ok)
    expect(asked).toEqual(['Make a new key and encrypt every secret and credential of all projects under it? [y/N] '])
    expect(out).toMatch(
      /^1 secret and 1 credential are encrypted under the new key [0-9a-f]{12}\.\n\nNext: {2}back up /,
    )
    const [, key = ''] = /key ([0-9a-f]{12})\./.exec(out) ?? []
    for (const sealed of await sealedIn(control)) expect(sealed).toContain(`v1.${key}.`)
    expect(await control.secret('default/HF_TOKEN')).toBe('canary')
    expect(await control.secret('*/CLOUD_KEY')).toBe('value of the cloud')
  })

  test('changes nothing after a no, and without a terminal it needs --yes', async () => {
    const control = await withCredential()
    const before = await sealedIn(control)
    const no = await berth(words('secret rotate'), { control: () => control, answers: [''] })
    expect([no.code, no.err]).toEqual([EXIT.notDone, 'Nothing was changed.\n'])
    const piped = await berth(words('secret rotate -o json'), { control: () => control })
    expect(piped.code).toBe(EXIT.unconfirmed)
    expect(await sealedIn(control)).toEqual(before)
  })

  test('names what cannot be decrypted and what to do, also in JSON', async () => {
    const control = await withCredential()
    const body = { version: 1, sealed: 'v1.000000000000.AAAA', createdMs: 0 }
    await control.store.commit({
      writes: ['research/LOST', '*/LOST_CLOUD'].map((key) => ({ kind: 'secret' as const, key, body })),
    })
    const { code, out } = await berth(words('secret rotate --yes'), { control: () => control })
    expect(code).toBe(EXIT.notDone)
    expect(out).toContain('2 values could not be decrypted with any key of the key file and were left unchanged.')
    expect(out).toContain('  berth secret set LOST_CLOUD --platform\n  berth secret set LOST --project research\n')
    const json = await berth(words('secret rotate --yes -o json'), { control: () => control })
    expect(json.code).toBe(EXIT.notDone)
    expect(JSON.parse(json.out)).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{12}$/),
      secrets: 1,
      credentials: 1,
      unopened: [
        { project: '*', name: 'LOST_CLOUD' },
        { project: 'research', name: 'LOST' },
      ],
    })
  })

  test('sends each of its tries with one idempotency key', async () => {
    const control = await withCredential()
    await control.lose(1)
    expect((await berth(words('secret rotate --yes'), { control: () => control })).code).toBe(EXIT.unreachable)
    const keys = control.sent.filter(({ path }) => path === '/v2/platform/keys').map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys)).toEqual(new Set([expect.any(String)]))
  })
})
