import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth drain', () => {
  test.each([
    [
      'drain northwind',
      'draining',
      'northwind takes no new work and is being drained. 1 instance there: those with drain',
    ],
    ['drain northwind --cordon', 'cordoned', 'northwind takes no new work. 1 instance there: they keep running.'],
    ['drain northwind --undo', 'open', 'northwind takes new work again.'],
  ])('%s makes it %s', async (line, state, said) => {
    const control = furnishedPlane()
    const { code, out } = await berth(words(line), { control: () => control })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain(said)
    expect(await control.providers()).toMatchObject([{ name: 'northwind', state }])
  })

  test('an empty provider has nothing to move', async () => {
    const control = furnishedPlane()
    await berth(words('provider add toy --kind sim'), { control: () => control })
    expect((await berth(words('drain toy'), { control: () => control })).out).toContain('Nothing runs there.')
  })

  test('both flags at once, and a provider that is not there, are refused', async () => {
    expect((await berth(words('drain northwind --undo --cordon'), { control: furnishedPlane })).code).toBe(EXIT.usage)
    const { code, err } = await berth(words('drain nortwind'), { control: furnishedPlane })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean northwind?')
  })
})
