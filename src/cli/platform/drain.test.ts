import { describe, expect, test } from 'vitest'
import { furnishedBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth drain', () => {
  test.each([
    ['drain here', 'draining', 'here takes no new work and is being drained. 1 instance there: those with drain'],
    ['drain here --cordon', 'cordoned', 'here takes no new work. 1 instance there: they keep running.'],
    ['drain here --undo', 'open', 'here takes new work again.'],
  ])('%s makes it %s', async (line, state, said) => {
    const control = furnishedBerth()
    const { code, out } = await berth(words(line), { control: () => control })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain(said)
    expect(control.capacity.providers.get('here')?.state).toBe(state)
  })

  test('an empty provider has nothing to move', async () => {
    const control = furnishedBerth()
    await berth(words('provider add toy --kind sim'), { control: () => control })
    expect((await berth(words('drain toy'), { control: () => control })).out).toContain('Nothing runs there.')
  })

  test('both flags at once, and a provider that is not there, are refused', async () => {
    expect((await berth(words('drain here --undo --cordon'), { control: furnishedBerth })).code).toBe(EXIT.usage)
    const { code, err } = await berth(words('drain hree'), { control: furnishedBerth })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean here?')
  })
})
