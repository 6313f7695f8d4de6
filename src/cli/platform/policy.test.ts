import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth policy', () => {
  test('what is set is listed and shown as it can be set again', async () => {
    const control = furnishedPlane()
    const world = { control: () => control, files: { 'p.yaml': 'objective: cheapest\nresidency: [eu]\n' } }
    const set = await berth(words('policy set cheap p.yaml --set max_usd_per_hour=2'), world)
    expect(set.code).toBe(EXIT.ok)
    const listed = (await berth(words('policy ls'), world)).out
    expect(listed).toMatch(
      /^ {2}NAME +FROM +SETTINGS\n {2}cheap +api +objective: cheapest, .*max_usd_per_hour: 2, residency: \[ "eu" \]/,
    )
    expect(listed).toMatch(/^ {2}default +built-in +objective: cheapest, /m)
    const shown = (await berth(words('policy show cheap'), world)).out
    expect(shown).toContain('max_usd_per_hour: 2\nresidency:\n  - eu\n')
    const again = await berth(words('policy set same p.yaml'), { ...world, files: { 'p.yaml': shown } })
    expect(again.code).toBe(EXIT.ok)
    expect((await berth(words('policy show same'), world)).out).toBe(shown)
  })

  test('rm asks', async () => {
    const control = furnishedPlane()
    await control.setPolicy({ name: 'cheap', settings: { objective: 'cheapest' } })
    const { asked } = await berth(words('policy rm cheap'), { control: () => control, answers: ['y'] })
    expect(asked).toEqual(['Remove policy cheap? [y/N] '])
    expect((await control.policies()).map(({ name }) => name)).toEqual(['default'])
  })

  test('an unknown one gets what was meant, and nothing to set is a slip', async () => {
    const { code, err } = await berth(words('policy show defualt'), { control: furnishedPlane })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean default?')
    const empty = await berth(words('policy set cheap'), { control: furnishedPlane })
    expect(empty.code).toBe(EXIT.usage)
    expect(empty.err).toContain('give a file or --set')
  })
})
