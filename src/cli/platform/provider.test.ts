import { describe, expect, test } from 'vitest'
import { furnishedBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth provider', () => {
  test('ls shows whether each answers, what it offers and what runs there; what is not known is ?', async () => {
    const control = furnishedBerth()
    await berth(words('provider add toy --kind sim'), { control: () => control })
    const { out } = await berth(words('provider ls'), { control: () => control })
    expect(out).toBe(`  NAME  KIND   STATE  ANSWERS  LAST     OFFERS  INSTANCES   $/h  FROM
  here  local  open   yes      4 s ago       2          1  0.40  file
  toy   sim    open   ?        ?             0          0     -  api
`)
  })

  test('ls says what is wrong with one that does not answer', async () => {
    const control = furnishedBerth()
    const here = control.capacity.providers.get('here')
    if (here !== undefined)
      control.capacity.providers.set('here', { ...here, reachable: false, last_fault: 'connection\nrefused' })
    expect((await berth(words('provider ls'), { control: () => control })).out).toContain(
      '\nhere: connection refused\n',
    )
  })

  test('no providers are a sentence', async () => {
    const control = furnishedBerth()
    control.capacity.providers.clear()
    expect((await berth(words('provider ls'), { control: () => control })).out).toContain('There are no providers yet.')
  })

  test('add reads settings from a file and from --set, which wins', async () => {
    const added: unknown[] = []
    const base = furnishedBerth()
    const addProvider: typeof base.addProvider = (name, provider) => {
      added.push(provider)
      return base.addProvider(name, provider)
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

  test.each([
    ['provider add toy', "required option '--kind <kind>' not specified", EXIT.usage],
    ['provider add toy --kind sim --settings list.yaml', 'VALUE_TYPE', EXIT.invalid],
    ['provider add toy --kind sim --settings nowhere.yaml', 'FILE_MISSING', EXIT.invalid],
    ['provider test ther', 'NOT_FOUND', EXIT.notFound],
  ])('%s: %s', async (line, expected, exit) => {
    const { code, err } = await berth(words(line), { files: { 'list.yaml': '- a\n' }, control: furnishedBerth })
    expect(code).toBe(exit)
    expect(err).toContain(expected)
  })

  test('test ends with 4 when a check fails', async () => {
    const control = furnishedBerth()
    expect((await berth(words('provider test here'), { control: () => control })).out).toContain(
      'here passes all checks.',
    )
    const here = control.capacity.providers.get('here')
    if (here !== undefined) control.capacity.providers.set('here', { ...here, reachable: false })
    const { code, out } = await berth(words('provider test here'), { control: () => control })
    expect(code).toBe(EXIT.notDone)
    expect(out).toContain('here fails 1 of 2 checks.')
    expect(out).toMatch(/list +FAILED/)
  })

  test('rm asks, and says what is still to end', async () => {
    const control = furnishedBerth()
    const { out, asked } = await berth(words('provider rm here'), { control: () => control, answers: ['y'] })
    const moves =
      'It takes no new work. Workloads with drain in migration.on move; it is removed when the rest has ended.'
    expect(asked).toEqual([`Remove provider here? ${moves} [y/N] `])
    expect(out).toBe('here takes no new work and is removed once 1 instance there has ended.\n')
  })
})
