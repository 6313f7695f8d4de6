import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { runKills } from './run.ts'

// kill -9 of the real control plane, many times, under load: `node testing/kills/kills.ts --kills 200 [--database]
// [--clouds large] [--others 1500] [--processes] [--keep]`. With --processes half of the work runs on this host.
// Ends with a summary in JSON; exit code 1 when anything was lost, doubled, leaked or touched, or ended by itself.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    every: { type: 'string', default: '20' },
    database: { type: 'boolean', default: false },
    clouds: { type: 'string', default: 'both' },
    others: { type: 'string', default: '0' },
    processes: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'berth-kills-'))
const postgres = values.database ? await startPostgres() : undefined
try {
  const report = await runKills({
    folder,
    kills: Number(values.kills),
    checkEvery: Number(values.every),
    clouds: values.clouds === 'large' ? 'large' : 'both',
    others: Number(values.others),
    processes: values.processes,
    ...(postgres && { postgres }),
    progress: (line) => console.error(line),
  })
  console.log(JSON.stringify(report, undefined, 2))
  const { lost, doubled, leaked, touched, crashed } = report
  process.exitCode = [lost, doubled, leaked, touched, crashed].some((wrong) => wrong.length > 0) ? 1 : 0
} finally {
  // A server that is recovering from a kill would take its time over a proper end.
  await postgres?.kill()
  await postgres?.stop()
  if (values.keep) console.error(`everything is kept in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
