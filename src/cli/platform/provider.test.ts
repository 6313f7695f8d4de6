import { describe, expect, test } from 'vitest'
import { barePlane, furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words } from '../harness.suite.ts'

describe('berth provider', () => {
  test('ls shows whether each answers, what it offers and what runs there', async () => {
    const control = furnishedPlane()
    await berth(words('provider add toy --kind sim'), { control: () => control })
    const { out } = await berth(words('provider ls'), { control: () => control })
    expect(out).toBe(`  NAME       KIND  STATE  ANSWERS  LAST     OFFERS  INSTANCES   $/h  FROM
  northwind  sim   open   yes      4 s ago       3          1  9.40  file
  toy        sim   open   yes      now           4          0     -  api
`)
  })

  test('what is not known of one that nobody has asked yet is ?', async () => {
    const control = furnishedPlane()
    await control.abandon()
    await berth(words('provider add toy --kind sim'), { control: () => control })
    const { out } = await berth(words('provider ls'), { control: () => control })
    expect(out).toMatch(/\n  toy +sim +open +\? +\? +0 +0 +- +api\n/)
  })

  test('ls says what is wrong with one that does not answer', async () => {
    const control = furnishedPlane()
    const { fates } = await control.cloud()
    for (const call of ['offers', 'list', 'describe'] as const) fates.set(call, 'revoked')
    await control.pass(120)
    const { out } = await berth(words('provider ls'), { control: () => control })
    expect(out).toMatch(/northwind +sim +open +no /)
    // Some calls with a revoked key are cut off instead of refused.
    expect(out).toMatch(/\nnorthwind: (?:AUTH: this key is not valid|TRANSIENT: \w+: connection reset)\n/)
  })

  test('no providers are a sentence', async () => {
    expect((await berth(words('provider ls'), { control: barePlane })).out).toContain('There are no providers yet.')
  })

  test('add reads settings from a file and from --set, which wins', async () => {
    const added: unknown[] = []
    const base = furnishedPlane()
    const addProvider: typeof base.addProvider = (request) => {
      const { name: _, ...provider } = request
      added.push(provider)
      return base.addProvider(request)
    }
    const files = { 's.yaml': 'seed: 1\nregions: [a, b]\n' }
    const line = 'provider add toy --kind sim --settings s.yaml --set seed=2 name=x=y fast=true at=[1,2] odd=a:{ none='
    await berth(words(line), { files, control: () => ({ ...base, addProvider }) })
    expect(added).toEqual([
      {
        kind: 'sim',
        settings: { seed: 2, regions: ['a', 'b'], name: 'x=y', fast: true, at: [1, 2], odd: 'a:{', none: '' },
      },
    ])
  })

  describe('add --kind of a cloud with a key', () => {
    const line = 'provider add pods --kind runpod --set endpoint=http://127.0.0.1:1 --set internal=true'
    const KEY = 'rpa_canary_0123456789'

    test.each([
      ['from standard input', '', { files: { '-': `${KEY}\n` } }],
      ['from a file', ' --key-file k', { files: { k: `${KEY}\n` } }],
      [
        'from a variable',
        ' --key-env POD_KEY',
        { env: { POD_KEY: KEY, BERTH_URL: 'http://127.0.0.1:7700', BERTH_TOKEN: 't' } },
      ],
      ['asked for', '', { files: { '-': `${KEY}\n` }, answers: [] }],
    ])('%s: it is kept as a platform secret, and said nowhere', async (how, flags, world) => {
      const control = furnishedPlane()
      const added: unknown[] = []
      const addProvider: typeof control.addProvider = (request) => {
        added.push(request.credential)
        return control.addProvider(request)
      }
      const { out, err } = await berth(words(`${line}${flags}`), {
        ...world,
        control: () => ({ ...control, addProvider, testProvider: async () => [] }),
      })
      expect(out).toContain('Provider pods (runpod) is added.')
      expect(out + err).not.toContain(KEY)
      expect(err.includes('Type or paste the key for pods')).toBe(how === 'asked for')
      expect([added, await control.secret('*/KEY_PODS')]).toEqual([['KEY_PODS'], KEY])
    })

    test('nothing is added without one', async () => {
      const none = await berth(words(`${line} --key-env NOTHING`), { control: furnishedPlane })
      expect([none.code, none.err]).toEqual([EXIT.invalid, expect.stringContaining('SECRET_EMPTY')])
      const two = await berth(words(`${line} --key-env A --credential B`), { control: furnishedPlane })
      expect(two.code).toBe(EXIT.usage)
    })
  })

  test.each([
    ['provider add toy', "required option '--kind <kind>' not specified", EXIT.usage],
    ['provider add toy --kind sim --settings list.yaml', 'VALUE_TYPE', EXIT.invalid],
    ['provider add toy --kind sim --settings nowhere.yaml', 'FILE_MISSING', EXIT.invalid],
    ['provider test ther', 'NOT_FOUND', EXIT.notFound],
  ])('%s: %s', async (line, expected, exit) => {
    const { code, err } = await berth(words(line), { files: { 'list.yaml': '- a\n' }, control: furnishedPlane })
    expect(code).toBe(exit)
    expect(err).toContain(expected)
  })

  test('test ends with 4 when a check fails', async () => {
    const control = furnishedPlane()
    expect((await berth(words('provider test northwind'), { control: () => control })).out).toContain(
      'northwind passes all checks.',
    )
    const { fates } = await control.cloud()
    fates.set('list', 'failing')
    const { code, out } = await berth(words('provider test northwind'), { control: () => control })
    expect(code).toBe(EXIT.notDone)
    expect(out).toContain('northwind fails 1 of 2 checks.')
    expect(out).toMatch(/list +FAILED/)
  })

  test('rm asks, and says what is still to end', async () => {
    const control = furnishedPlane()
    const offers = [{ instance: 'big', gpu: { model: 'h100-sxm', count: 4 }, usd_per_hour: 1 }]
    await control.addProvider({ name: 'toy', kind: 'sim', settings: { offers } })
    const text = MANIFEST.replace('llama-70b', 'other')
    await control.apply({ project: 'default', text, file: 'w', idempotencyKey: 'other' })
    await control.pass(60)
    const { out, asked } = await berth(words('provider rm toy'), { control: () => control, answers: ['y'] })
    const moves =
      'It takes no new work. Workloads with drain in migration.on move; it is removed when the rest has ended.'
    expect(asked).toEqual([`Remove provider toy? ${moves} [y/N] `])
    expect(out).toBe('toy takes no new work and is removed once 1 instance there has ended.\n')
  })
})
