import { expect, test } from 'vitest'
import { VARIABLES } from '../../../core/life/call/variables.ts'
import { gangVariables } from '../../../core/life/call/rendezvous.ts'
import { sampleOrder } from '../bench.suite.ts'
import { baseEnvironment, environmentFor } from './environment.ts'

const TAG = { owner: 'o', project: 'p', workload: 'w', uid: 'u', slot: '0.0', epoch: 1, attempt: 'a' }

/** Everything that a workload can be told, at once. */
function told(): readonly string[] {
  const meeting = { hosts: ['127.0.0.1', '127.0.0.1'], port: 30_000 }
  const order = { ...sampleOrder({ kind: 'long' }), tag: TAG, env: gangVariables(0, 2, meeting), resumeFromMs: 7 }
  const ports = [{ name: 'http', port: 80, health: undefined, host: 20_000 }]
  return Object.keys(environmentFor({ order, ports, secrets: new Map(), cards: ['0'] }))
}

test('the manifest wins over what comes from the host, and Berth over the manifest in all that it says of the work', () => {
  const before = process.env['PATH']
  delete process.env['PATH']
  try {
    expect(baseEnvironment()['PATH']).toBe('/usr/local/bin:/usr/bin:/bin')
  } finally {
    process.env['PATH'] = before
  }
  expect(baseEnvironment()['PATH']).toBe(before)
  const names = VARIABLES.filter(({ when }) => !['gang', 'kubernetes', 'shell'].includes(when)).map(
    ({ name, when }) => {
      return { name: name.replace('<NAME>', 'HTTP'), isOurs: when !== 'process' }
    },
  )
  const env = Object.fromEntries(names.map(({ name }) => [name, 'mine']))
  const order = { ...sampleOrder({ kind: 'long' }), tag: TAG, env, resumeFromMs: 7 }
  const ports = [{ name: 'http', port: 80, health: undefined, host: 20_000 }]
  const got = environmentFor({ order, ports, secrets: new Map(), cards: ['0'] })
  for (const { name, isOurs } of names) expect([name, got[name] !== 'mine']).toEqual([name, isOurs])
})

test('every variable that a workload gets is in the documented table, and the table has no others', () => {
  const named = VARIABLES.map(({ name }) => name)
  const documented = (name: string): string => (name.startsWith('PORT_') ? 'PORT_<NAME>' : name)
  expect(told().filter((name) => !named.includes(documented(name)))).toEqual([])
  const got = new Set(told().map(documented))
  const hosts = new Set(
    VARIABLES.filter(({ when }) => ['process', 'shell', 'kubernetes'].includes(when)).map(({ name }) => name),
  )
  expect(named.filter((name) => !got.has(name) && !hosts.has(name))).toEqual([])
  expect(Object.keys(baseEnvironment()).filter((name) => !hosts.has(name))).toEqual([])
})
