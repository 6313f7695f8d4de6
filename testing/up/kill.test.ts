import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import { runKills, type KillsReport } from '../kills/run.ts'
import { findPostgres, startPostgres } from '../../src/store/postgres/postgres.suite.ts'

// The real process, killed with -9 while clients work with it. `node testing/kills/kills.ts` does the same for longer.

const folder = mkdtempSync(join(tmpdir(), 'berth-kill-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `large`: nothing takes a minute to be sure of. */
const KILLS = sized({
  quick: { sqlite: { kills: 5, checkEvery: 5, clouds: 'large' }, postgres: { kills: 2, checkEvery: 2 } },
  whole: { sqlite: { kills: 8, checkEvery: 8, clouds: 'both' }, postgres: { kills: 8, checkEvery: 8 } },
} as const)
const FEW = { workloads: 8, clouds: 'large' } as const

/** All that went wrong, in words: the first line of a failure is all that is told of a test that then passed. */
function wrongIn({ lost, doubled, leaked, touched, crashed }: KillsReport): string {
  const wrong = Object.entries({ lost, doubled, leaked, touched, crashed })
  return wrong.flatMap(([how, each]) => each.map((one) => `${how}: ${one}`)).join('; ')
}

// Both at once: each mostly waits.
describe.concurrent('a control plane that is killed again and again', () => {
  test('loses, doubles and leaks nothing on SQLite', async () => {
    const report = await runKills({
      folder: mkdtempSync(join(folder, 'sqlite-')),
      ...KILLS.sqlite,
      workloads: 8,
      others: 40,
      processes: true,
    })
    expect(report.store).toBe('sqlite')
    expect(wrongIn(report), wrongIn(report)).toBe('')
    // Something was at stake.
    expect(report.load.byEnding.done).toBeGreaterThan(20)
    expect(report.instances).toBeGreaterThan(0)
    expect(report.processes).toBeGreaterThan(0)
  })

  test.skipIf(findPostgres() === undefined)('loses, doubles and leaks nothing on PostgreSQL', async () => {
    const postgres = await startPostgres()
    try {
      const setup = { folder: mkdtempSync(join(folder, 'postgres-')), ...KILLS.postgres, ...FEW }
      const report = await runKills({ ...setup, postgres })
      expect(report.store).toBe('postgres')
      expect(wrongIn(report), wrongIn(report)).toBe('')
      expect(report.load.byEnding.done).toBeGreaterThan(20)
    } finally {
      // It may be recovering from a kill still, and would take its time over a proper end.
      await postgres.kill()
      await postgres.stop()
    }
  })
})
