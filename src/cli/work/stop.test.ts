import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth stop', () => {
  test('says what is still to end, and that it is billed until then', async () => {
    const control = furnishedPlane()
    const { code, out } = await berth(words('stop llama-70b'), { control: () => control })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('llama-70b is being stopped: 1 slot still running, and billed until gone.\n')
    expect((await control.workload({ project: 'default', name: 'llama-70b' })).want).toBe('stopped')
  })

  test('says so when nothing ran', async () => {
    const control = furnishedPlane()
    await control.stop({ project: 'default', name: 'llama-70b' })
    await control.pass(10)
    const { out } = await berth(words('stop llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b is stopped.')
  })
})
