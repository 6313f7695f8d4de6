import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runClocks } from '../clocks/run.ts'
import { findPostgres, startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'

// The real process, killed and started again 400 days earlier. `node testing/clocks/clocks.ts` does more of it, on either store.

async function back(database?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-up-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const where = database === undefined ? {} : { database }
  const report = await runClocks({ folder, jumpsDays: [-400], scope: 'brief', progress: () => undefined, ...where })
  expect(report).toMatchObject({ lives: 1, stuck: [], touched: [] })
}

test('a clock that is set back by 400 days holds up nothing, on SQLite', () => back())

test('a clock that is set back by 400 days holds up nothing, on PostgreSQL', async (context) => {
  if (!IS_WHOLE) return context.skip('run by npm run test:all')
  if (findPostgres() === undefined) return context.skip('needs PostgreSQL (apt-get install postgresql)')
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  await back(postgres.url)
})
