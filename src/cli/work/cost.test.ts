import { expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'
import { emptyPlane } from '../planes.suite.ts'

test('says that nothing has cost anything, and what it was asked', async () => {
  const control = emptyPlane()
  const run = (line: string) => berth(words(`cost ${line}`), { control: () => control })
  expect((await run('')).out).toBe('Nothing rented has cost anything in this time.\n')
  expect(JSON.parse((await run('--by provider -o json')).out)).toMatchObject({
    by: 'provider',
    total_usd: 0,
    costs: [],
  })
  expect((await run('--by colour')).code).toBe(EXIT.usage)
})

test('shows what each costs, what exists now, and the sum', async () => {
  const told = { usd: 12.5, hours: 4.25, instances: 3, running: 1, usd_per_hour: 2.5 }
  const cost = async () =>
    ({
      by: 'workload',
      since_ms: 1,
      until_ms: 2,
      total_usd: 12.5,
      costs: [{ project: 'lab', workload: 'chat', ...told }],
    }) as const
  const control = { ...emptyPlane(), cost }
  const { out, code } = await berth(words('cost --since 24h'), { control: () => control })
  expect(code).toBe(EXIT.ok)
  expect(out).toMatch(
    /PROJECT +WORKLOAD +COST +HOURS +MACHINES +NOW +PER HOUR NOW\n +lab +chat +\$12\.50 +4\.3 +3 +1 +\$2\.50\n/,
  )
  expect(out).toContain('In all: $12.50')
})
