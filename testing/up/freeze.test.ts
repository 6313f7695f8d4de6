import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runFreezes } from '../freezes/run.ts'
import { findPostgres, startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { patience } from '../../src/core/base/cpu.suite.ts'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'

// Two real processes on one PostgreSQL, in npm run test:all: the simulation does it with each seed. `node testing/freezes/freezes.ts` does the same for longer.

const folder = mkdtempSync(join(tmpdir(), 'berth-freeze-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TAKEOVER_MS = 5000

test.runIf(IS_WHOLE && findPostgres() !== undefined)(
  'a leader that is frozen or killed is replaced, and writes nothing more when it wakes',
  async () => {
    const postgres = await startPostgres()
    try {
      const report = await runFreezes({ folder, postgres, freezeMs: [8000], kills: 1, clouds: 'large' })
      expect(report).toMatchObject({ stale: [], lost: [], doubled: [], leaked: [], leading: 1 })
      expect(report.midWrite).toBe(1)
      expect(report.writes).toBeGreaterThan(10)
      expect(report.lastTerm).toBeGreaterThanOrEqual(3)
      const { freeze, kill } = report.takeoverMs
      expect(Math.max(...freeze, ...kill)).toBeLessThanOrEqual(TAKEOVER_MS * patience())
    } finally {
      await postgres.kill()
      await postgres.stop()
    }
  },
)
