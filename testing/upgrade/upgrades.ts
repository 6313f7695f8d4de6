import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { earlierProgram, RELEASED } from './earlier.ts'
import { runUpgrade } from './run.ts'

// A store that a released commit wrote, with many workloads in all phases, opened by this version:
// `node testing/upgrade/upgrades.ts [--workloads 1000] [--commit 0e16500] [--database] [--keep]`. Without --commit, every
// release in turn. Needs git and a checkout with its history, and PostgreSQL on this machine for --database. Ends with what
// was found, in JSON; exit code 1 when a row was lost, a replica replaced, a manifest that was applied again changed
// anything, or the earlier program opens a store with rows of versions that it does not know.

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: '1000' },
    commit: { type: 'string' },
    database: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})

const reports: unknown[] = []
for (const commit of values.commit === undefined ? RELEASED : [values.commit]) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-upgrade-'))
  const postgres = values.database ? await startPostgres() : undefined
  const earlier = earlierProgram(commit)
  try {
    const setup = { folder, workloads: Number(values.workloads), program: earlier.program }
    const report = await runUpgrade({ ...setup, ...(postgres && { database: postgres.url }) })
    reports.push({ commit, ...report })
    const { lost, replaced, changed, refusedByEarlier, mustRefuse } = report
    if (lost.length + replaced.length + changed.length > 0 || (mustRefuse && !refusedByEarlier)) process.exitCode = 1
  } finally {
    earlier.remove()
    await postgres?.stop()
    if (values.keep) console.error(`everything of ${commit} is kept in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}
console.log(JSON.stringify(reports, undefined, 2))
