import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgres, startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { JUMPS_DAYS, runClocks } from './run.ts'

const HELP = `Restarts a real control plane with its wall clock a day back, 40 days ahead and 400 days back, killed while things wait.

Usage: node testing/clocks/clocks.ts [--store sqlite|postgres|both]

Nothing may be stuck for longer than a minute, and what runs may not be touched. Prints one line a figure for each store;
exit code 1 when anything was stuck or touched.`

const { values } = parseArgs({
  options: { store: { type: 'string', default: 'both' }, help: { type: 'boolean', default: false } },
})

async function runOn(store: 'sqlite' | 'postgres'): Promise<void> {
  if (store === 'postgres' && findPostgres() === undefined) {
    console.log('skipped: postgres is not installed (apt-get install postgresql)')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'berth-clocks-'))
  const leaveNothing = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', leaveNothing)
  const postgres = store === 'postgres' ? await startPostgres() : undefined
  try {
    const progress = (line: string): void => console.error(`${store}: ${line}`)
    const report = await runClocks({
      folder,
      jumpsDays: JUMPS_DAYS,
      scope: 'whole',
      progress,
      ...(postgres && { database: postgres.url }),
    })
    for (const [name, value] of Object.entries(report)) console.log(`${store} ${name} ${JSON.stringify(value)}`)
    if (report.stuck.length + report.touched.length > 0) process.exitCode = 1
  } finally {
    await postgres?.stop()
    process.off('exit', leaveNothing)
    leaveNothing()
  }
}

if (values.help) console.log(HELP)
else {
  if (values.store !== 'postgres') await runOn('sqlite')
  if (values.store !== 'sqlite') await runOn('postgres')
}
