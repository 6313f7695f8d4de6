import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runAway } from './away-run.ts'

// The control plane is killed under load and stays away: `node testing/gateway/away.ts --minutes 10 [--rate 100] [--out FILE]`.
// A gateway of its own goes on. Ends with a report in JSON; exit code 1 when a request failed.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '100' },
    out: { type: 'string' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'berth-away-'))
const write = (report: unknown): void => {
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, undefined, 2)}\n`)
}
try {
  const sizes = { minutes: Number(values.minutes), requestsPerSecond: Number(values.rate) }
  const report = await runAway({ folder, ...sizes, progress: write })
  write(report)
  console.log(JSON.stringify(report, undefined, 2))
  process.exitCode = report.failed > 0 ? 1 : 0
  rmSync(folder, { recursive: true, force: true })
} catch (error) {
  console.error(error)
  process.exitCode = 70
} finally {
  // Whatever a failed run left open is not waited for.
  process.exit()
}
