import { describe, expect, test } from 'vitest'
import { furnishedBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth policy', () => {
  test('what is set is listed and shown as it can be set again', async () => {
    const control = furnishedBerth()
    const world = { control: () => control, files: { 'p.yaml': 'objective: cheapest\nresidency: [eu]\n' } }
    const set = await berth(words('policy set cheap p.yaml --set max_usd_per_hour=2'), world)
    expect(set.code).toBe(EXIT.ok)
    expect((await berth(words('policy ls'), world)).out).toBe(`  NAME     FROM      SETTINGS
  default  built-in  objective: balanced
  cheap    api       objective: cheapest, residency: ["eu"], max_usd_per_hour: 2
`)
    expect((await berth(words('policy show cheap'), world)).out).toBe(
      'objective: cheapest\nresidency:\n  - eu\nmax_usd_per_hour: 2\n',
    )
  })

  test('rm asks', async () => {
    const control = furnishedBerth()
    const { asked } = await berth(words('policy rm default'), { control: () => control, answers: ['y'] })
    expect(asked).toEqual(['Remove policy default? [y/N] '])
    expect(control.capacity.policies.size).toBe(0)
    expect((await berth(words('policy ls'), { control: () => control })).out).toContain('There are no policies yet.')
  })

  test('an unknown one gets what was meant, and nothing to set is a slip', async () => {
    const { code, err } = await berth(words('policy show defualt'), { control: furnishedBerth })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean default?')
    const empty = await berth(words('policy set cheap'), { control: furnishedBerth })
    expect(empty.code).toBe(EXIT.usage)
    expect(empty.err).toContain('give a file or --set')
  })
})
