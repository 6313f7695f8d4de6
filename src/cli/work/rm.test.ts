import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

const AT = { project: 'default', name: 'llama-70b' }

describe('berth rm', () => {
  test('asks, naming what it stops, and the default is no', async () => {
    const control = furnishedPlane()
    const { code, asked, err } = await berth(words('rm llama-70b'), { control: () => control, answers: [''] })
    expect(asked).toEqual(['Remove llama-70b? This stops 1 running slot ($9.40/h). [y/N] '])
    expect(code).toBe(EXIT.notDone)
    expect(err).toBe('Nothing was changed.\n')
    expect((await control.workload(AT)).want).toBe('running')
  })

  test.each(['y', 'YES', ' yes '])('%j removes it', async (answer) => {
    const control = furnishedPlane()
    const { code, out } = await berth(words('rm llama-70b'), { control: () => control, answers: [answer] })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('llama-70b is being removed')
    expect((await control.workload(AT)).want).toBe('removed')
  })

  test('in a pipe and with -o json, --yes is needed', async () => {
    const control = furnishedPlane()
    const piped = await berth(words('rm llama-70b'), { control: () => control })
    const data = await berth(words('rm llama-70b -o json'), { control: () => control, answers: ['y'] })
    for (const { code, err, asked } of [piped, data]) {
      expect(code).toBe(EXIT.unconfirmed)
      expect(err).toContain('CONFIRMATION_MISSING')
      expect(asked).toEqual([])
    }
    expect((await control.workload(AT)).want).toBe('running')
    expect((await berth(words('rm llama-70b --yes'), { control: () => control })).code).toBe(EXIT.ok)
  })
})
