import { describe, expect, test } from 'vitest'
import { planeWith } from '../plane.suite.ts'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words } from '../harness.suite.ts'

describe('berth stop', () => {
  test('says what is still to end, and that it is billed until then', async () => {
    const control = furnishedPlane()
    const { code, out } = await berth(words('stop llama-70b'), { control: () => control })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('llama-70b is being stopped: 1 slot still running, and billed until gone.\n')
    expect((await control.workload({ project: 'default', name: 'llama-70b' })).want).toBe('stopped')
  })

  test('does not speak of a bill where nothing costs anything', async () => {
    const offer = '{ region: lab, instance: own, gpu: { model: h100-sxm, count: 4 }, usd_per_hour: 0, stock: 1 }'
    const settings = `{ start_seconds: 1, stop_seconds: 9, offers: [${offer}] }`
    const config = `berth: v1\nkind: config\nproviders:\n  lab: { kind: sim, settings: ${settings} }\n`
    const control = planeWith(
      async (plane) => {
        const text = MANIFEST.replace(', interconnect: nvlink', '')
        await plane.apply({ project: 'default', text, file: 'w.yaml', idempotencyKey: 'k' })
      },
      { secondsAgo: 10, config },
    )
    const { out } = await berth(words('stop llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b is being stopped: 1 slot still running.\n')
  })

  test('says so when nothing ran', async () => {
    const control = furnishedPlane()
    await control.stop({ project: 'default', name: 'llama-70b' })
    await control.pass(10)
    const { out } = await berth(words('stop llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b is stopped.')
  })
})
