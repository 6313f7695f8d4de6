import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'
import { readTruth } from '../plane/truth.ts'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { findPostgres, startPostgres, type Postgres } from '../../src/store/postgres/postgres.suite.ts'

const CONFIG = `berth: v1
kind: config
default_policy: pretend
providers:
  toy: { kind: sim, trust: community, settings: { start_seconds: [0, 0], stop_seconds: [0, 0] } }
policies:
  pretend:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

let folder = ''
let plane: RealPlane
let postgres: Postgres | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-damaged-'))
  writeFileSync(join(folder, 'berth.config.yaml'), CONFIG)
})
afterEach(async () => {
  await plane.kill()
  await postgres?.stop()
  postgres = undefined
  rmSync(folder, { recursive: true, force: true })
})

test('rows of SQLite that cannot be read stop nothing else, and what belongs to them is left as it is', async () => {
  await goesOn(undefined)
})

test.skipIf(findPostgres() === undefined || !IS_WHOLE)('nor do rows of PostgreSQL', async () => {
  postgres = await startPostgres()
  await goesOn(postgres.url)
})

async function goesOn(database: string | undefined): Promise<void> {
  const config = join(folder, 'berth.config.yaml')
  plane = new RealPlane({ folder: join(folder, 'data'), config, ...(database !== undefined && { database }) })
  expect(await plane.start()).toBe(true)
  for (const name of ['fine', 'no-placement', 'no-status', 'no-workload']) await apply(name)
  await berth().setProject({ project: 'broke', gpus_max: 1 })
  const before = billed()
  await plane.kill()
  await spoil(database, ROWS)

  expect(await plane.start()).toBe(true)
  await apply('after')
  const { items } = await berth().workloads({})
  expect(items.map(({ name }) => name)).toEqual(['after', 'fine', 'no-placement', 'no-status'])
  expect(await berth().providers()).toMatchObject([{ name: 'toy', reachable: true }])
  expect((await berth().projects()).map(({ name }) => name)).toContain('broke')
  const [added, ...others] = billed()
  expect(added).toMatch(/^after\//)
  expect(others).toEqual(before)
  const told = plane.lines().flatMap(({ level, row }) => (level === 'error' ? [row] : []))
  expect(new Set(told)).toEqual(new Set(ROWS.map((row) => row.join(' '))))
}

const ROWS = [
  ['placement', 'default/no-placement/0'],
  ['status', 'default/no-status'],
  ['workload', 'default/no-workload'],
  ['project', 'broke'],
] as const

function berth() {
  return plane.client({ tries: 'several', timeoutMs: 10_000 })
}

async function apply(name: string): Promise<void> {
  const text = JSON.stringify({ berth: 'v1', kind: 'service', name, image: name, resources: { cpu: 1, memory: '1Gi' } })
  await berth().apply({ project: 'default', text, file: `${name}.yaml`, idempotencyKey: name })
  await until(`${name} runs`, { withinMs: 20_000 }, async () => {
    const { ready, state } = await berth().workload({ project: 'default', name })
    return ready === 1 ? { found: true } : state
  })
}

/** What the provider bills and has not ended, as it knows it itself. */
function billed(): readonly string[] {
  const going = readTruth(join(folder, 'data')).filter(({ endsMs }) => endsMs > Date.now())
  return going.map(({ slot, attempt }) => `${slot} ${attempt}`).toSorted()
}

async function spoil(database: string | undefined, rows: readonly (readonly [string, string])[]): Promise<void> {
  if (database === undefined) {
    const file = new DatabaseSync(join(folder, 'data', 'berth.db'))
    const statement = file.prepare("UPDATE rows SET body = '{' WHERE kind = ? AND key = ?")
    for (const row of rows) expect(statement.run(...row).changes).toBe(1)
    file.close()
    return
  }
  const client = new Client({ connectionString: database })
  await client.connect()
  for (const row of rows) {
    const { rowCount } = await client.query("UPDATE berth.rows SET body = '{' WHERE kind = $1 AND key = $2", [...row])
    expect(rowCount).toBe(1)
  }
  await client.end()
}
