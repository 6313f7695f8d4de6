import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runChurn } from './run.ts'

// Churn before the real gateway: `node testing/gateway/churn.ts --minutes 60 [--out FILE] [--keep]`. Replicas come, go and die; clients of
// every kind; new certificates; one gateway is replaced again and again, and for a sixth of the time there is no control plane.
// Ends with a report in JSON; exit code 1 when a request failed, or when memory or sockets grew.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    out: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'berth-churn-'))
const write = (report: unknown): void => {
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, undefined, 2)}\n`)
}
try {
  const report = await runChurn({ folder, minutes: Number(values.minutes), progress: write })
  write(report)
  console.log(JSON.stringify(report, undefined, 2))
  process.exitCode = report.wrong.length > 0 ? 1 : 0
} catch (error) {
  console.error(error)
  process.exitCode = 70
} finally {
  if (values.keep) console.error(`everything is kept in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
  // Whatever a failed run left open is not waited for.
  process.exit()
}
