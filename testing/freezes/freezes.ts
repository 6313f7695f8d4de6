import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { runFreezes } from './run.ts'

// Two control planes on one PostgreSQL, and the one that leads falls asleep: `node testing/freezes/freezes.ts [--seconds 60,6,6]
// [--kills 5] [--keep]`. Ends with a summary in JSON; exit code 1 when a stale write landed or anything was lost.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60,6,6,6,6,6,6,6,6,6' },
    kills: { type: 'string', default: '5' },
    keep: { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'berth-freezes-'))
const postgres = await startPostgres()
try {
  const report = await runFreezes({
    folder,
    postgres,
    freezeMs: values.seconds.split(',').map((seconds) => Number(seconds) * 1000),
    kills: Number(values.kills),
    progress: (line) => console.error(line),
  })
  console.log(JSON.stringify(report, undefined, 2))
  const { stale, lost, doubled, leaked, leading } = report
  process.exitCode = stale.length + lost.length + doubled.length + leaked.length > 0 || leading !== 1 ? 1 : 0
} finally {
  // A server that is recovering from a kill would take its time over a proper end.
  await postgres.kill()
  await postgres.stop()
  if (values.keep) console.error(`everything is kept in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
