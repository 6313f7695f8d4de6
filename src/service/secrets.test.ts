import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Secret } from '../ports/secret.ts'
import { ADMIN, service, NOW_MS, putWorkload, refusalOf, trailOf } from './platform.suite.ts'
import { addProvider } from './providers.ts'
import { listSecrets, removeSecret, secretsFor, setCredential, setSecret } from './secrets.ts'

const AT = { project: 'default', name: 'HF_TOKEN' }
const VALUE = 'hf_canary-0123456789'
const set = (deps: ReturnType<typeof service>, value = VALUE, at = AT) =>
  setSecret(deps, ADMIN, { at, value: new Secret(value) })

describe('setting a secret', () => {
  test('answers its version and never its value', async () => {
    const deps = service()
    expect(await set(deps)).toEqual({ name: 'HF_TOKEN', version: 1, created_ms: NOW_MS })
    expect(await set(deps, 'another value')).toMatchObject({ version: 2 })
    expect(await listSecrets(deps, ADMIN, 'default')).toEqual([{ name: 'HF_TOKEN', version: 2, created_ms: NOW_MS }])
    expect(await listSecrets(deps, ADMIN, 'defaul')).toEqual([])
  })

  test('leaves a trail without the value', async () => {
    const deps = service()
    await set(deps)
    await set(deps)
    expect(await trailOf(deps)).toEqual([
      'ada secret.set default secret/HF_TOKEN {"version":1}',
      'ada secret.set default secret/HF_TOKEN {"version":2}',
      'secret-set default secret/HF_TOKEN {"version":1,"by":"ada"}',
      'secret-set default secret/HF_TOKEN {"version":2,"by":"ada"}',
    ])
  })

  test('leaves the value nowhere in the store', async () => {
    const deps = service()
    await set(deps)
    const everything = inspect(await deps.store.changes(0, 1000), { depth: 20 }) + (await trailOf(deps)).join('\n')
    for (const form of [
      VALUE,
      Buffer.from(VALUE).toString('base64').slice(0, 20),
      Buffer.from(VALUE).toString('hex'),
    ]) {
      expect(everything).not.toContain(form)
    }
  })

  test.each([
    ['', 'has fewer than 4 characters'],
    ['abc', 'has fewer than 4 characters'],
    ['x'.repeat(65_537), 'is larger than 64 KB'],
    ['abcd\0', 'holds a zero byte or is not valid text'],
    ['abcd\ud800', 'holds a zero byte or is not valid text'],
  ])('refuses a value that cannot be kept', async (value, why) => {
    const deps = service()
    expect(await refusalOf(set(deps, value))).toEqual([
      `SECRET_UNFIT: The value of HF_TOKEN ${why}; nothing was changed.`,
    ])
    expect(await listSecrets(deps, ADMIN, 'default')).toEqual([])
  })
})

describe('values for the controller', () => {
  test('come back by name', async () => {
    const deps = service()
    await set(deps)
    await set(deps, 'other', { ...AT, name: 'OTHER' })
    const found = await secretsFor(deps, { project: 'default', workload: 'w' }, ['OTHER', 'HF_TOKEN'])
    expect('secrets' in found && [...found.secrets].map(([name, secret]) => [name, secret.reveal()])).toEqual([
      ['OTHER', 'other'],
      ['HF_TOKEN', VALUE],
    ])
    expect(inspect(found, { depth: 9 })).not.toContain(VALUE)
  })

  test('are missing all at once, with what to do', async () => {
    const deps = service()
    await set(deps)
    const found = await secretsFor(deps, { project: 'default', workload: 'w' }, ['A', 'HF_TOKEN', 'B'])
    expect('problems' in found && found.problems).toMatchObject([
      { code: 'SECRET_MISSING', message: 'Project default has no secret A.' },
      { code: 'SECRET_MISSING', hint: 'Set it: berth secret set B --project default' },
    ])
  })

  test('of one project are not those of another', async () => {
    const deps = service()
    await set(deps)
    expect(await secretsFor(deps, { project: 'other', workload: 'w' }, ['HF_TOKEN'])).toHaveProperty('problems')
  })

  test('do not open when the row was moved, rolled back or sealed elsewhere', async () => {
    const deps = service()
    await set(deps)
    const row = await deps.store.get('secret', 'default/HF_TOKEN')
    const body = row?.body ?? { version: 1, sealed: '', createdMs: 0 }
    await deps.store.commit({
      writes: [
        { kind: 'secret', key: 'other/HF_TOKEN', body },
        { kind: 'secret', key: 'default/HF_TOKEM', body },
        { kind: 'secret', key: 'default/HF_TOKEN', body: { ...body, version: 2 } },
      ],
    })
    for (const [project, name] of [
      ['other', 'HF_TOKEN'],
      ['default', 'HF_TOKEM'],
      ['default', 'HF_TOKEN'],
    ] as const) {
      const found = await secretsFor(deps, { project, workload: 'w' }, [name])
      expect('problems' in found && found.problems[0]?.message).toBe(
        `The secret ${name} of project ${project} cannot be decrypted with the keys of this installation.`,
      )
    }
  })
})

describe('removing a secret', () => {
  test('is refused while a workload that may start again uses it', async () => {
    const deps = service()
    await set(deps)
    const more = 'secrets: [HF_TOKEN]'
    await putWorkload(deps, { name: 'serving', more })
    await putWorkload(deps, { name: 'stopped', more, want: 'stopped' })
    await putWorkload(deps, { name: 'removed', more, want: 'removed' })
    await putWorkload(deps, { name: 'done', more, end: { state: 'done', why: '', atMs: 1 } })
    await putWorkload(deps, { name: 'elsewhere', more, project: 'default-two' })
    await putWorkload(deps, { name: 'without' })
    expect(await refusalOf(removeSecret(deps, ADMIN, AT))).toEqual([
      'SECRET_IN_USE: The secret HF_TOKEN is used by serving.',
    ])
    await putWorkload(deps, { name: 'serving', more, want: 'stopped' })
    await removeSecret(deps, ADMIN, AT)
    expect(await listSecrets(deps, ADMIN, 'default')).toEqual([])
    expect(await trailOf(deps)).toContain('ada secret.remove default secret/HF_TOKEN {"version":1}')
  })

  test('is refused while a provider opens with it', async () => {
    const deps = service({ config: 'providers: { here: { kind: local, credential: HF_TOKEN } }' })
    await setCredential(deps, ADMIN, { name: 'HF_TOKEN', value: new Secret(VALUE) })
    await addProvider(deps, ADMIN, { name: 'cloud', kind: 'sim', settings: {}, credential: 'HF_TOKEN' })
    expect(await refusalOf(removeSecret(deps, ADMIN, { ...AT, project: '*' }))).toEqual([
      'SECRET_IN_USE: The secret HF_TOKEN is used by provider here, provider cloud.',
    ])
    // A project's own secret of that name opens nothing.
    await set(deps)
    await removeSecret(deps, ADMIN, AT)
  })

  test('of a secret that does not exist is refused', async () => {
    expect(await refusalOf(removeSecret(service(), ADMIN, AT))).toEqual([
      'NOT_FOUND: There is no secret HF_TOKEN in project default.',
    ])
  })
})
