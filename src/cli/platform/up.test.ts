import { describe, expect, test } from 'vitest'
import { EXIT, type UpFlags } from '../cli.ts'
import { berth, words, type Ran } from '../harness.suite.ts'

async function up(line: string, code = 0): Promise<{ readonly ran: Ran; readonly flags: readonly UpFlags[] }> {
  const flags: UpFlags[] = []
  const ran = await berth(['up', ...words(line)], {
    up: (given) => {
      flags.push(given)
      return Promise.resolve(code)
    },
  })
  return { ran, flags }
}

describe('berth up', () => {
  test('listens only on this machine by default, and requires a token', async () => {
    const { ran, flags } = await up('')
    expect(ran.code).toBe(EXIT.ok)
    expect(flags).toEqual([{ listen: '127.0.0.1:7700', log: 'text', output: 'text' }])
  })

  test('hands its flags on', async () => {
    const { flags } = await up('--data /d --config c.yaml --listen 0.0.0.0:1 --host a b --dev --log json -o json')
    expect(flags).toEqual([
      { data: '/d', config: 'c.yaml', listen: '0.0.0.0:1', host: ['a', 'b'], dev: true, log: 'json', output: 'json' },
    ])
  })

  test('ends with the code of the control plane', async () => {
    expect((await up('', 3)).ran.code).toBe(3)
  })

  test('another way to log is refused', async () => {
    const { ran, flags } = await up('--log loud')
    expect(ran.code).toBe(EXIT.usage)
    expect(flags).toEqual([])
  })
})
