import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth scale', () => {
  test('--yes is taken, though nothing is asked', async () => {
    expect((await berth(words('scale llama-70b 2 --yes'), { control: furnishedPlane })).code).toBe(EXIT.ok)
  })

  test('says the new number and how many are up', async () => {
    const control = furnishedPlane()
    const { code, out } = await berth(words('scale llama-70b 3'), { control: () => control })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe('llama-70b: 3 replicas wanted, 1 of 3 up now.\n\nNext:  berth events llama-70b -f\n')
    expect((await control.workload({ project: 'default', name: 'llama-70b' })).total).toBe(3)
  })

  test('hands the role on', async () => {
    const asked: unknown[] = []
    const base = furnishedPlane()
    const scale: typeof base.scale = (request) => {
      asked.push({ role: request.role, replicas: request.replicas })
      return base.scale(request)
    }
    await berth(words('scale llama-70b 2 --role decode'), { control: () => ({ ...base, scale }) })
    expect(asked).toEqual([{ role: 'decode', replicas: 2 }])
  })

  test.each(['-1', '1.5', 'two', '1e3', '99999999'])('%s replicas is refused', async (count) => {
    const { code, err } = await berth(['scale', 'llama-70b', '--', count], { control: furnishedPlane })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Write a whole number')
  })
})
