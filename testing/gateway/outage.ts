import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runOutage } from './outage-run.ts'

// A provider that takes requests and answers none: `node testing/gateway/outage.ts --services 200 --silent-minutes 10 [--out FILE]`.
// Its services are placed elsewhere, and it comes back. Takes some seconds a service before, and prints a report in JSON.

const { values } = parseArgs({
  options: {
    services: { type: 'string', default: '200' },
    'silent-minutes': { type: 'string', default: '10' },
    out: { type: 'string' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'berth-outage-'))
const progress = (text: string): void => console.error(`${new Date().toISOString()} ${text}`)
try {
  const sizes = { services: Number(values.services), silentMinutes: Number(values['silent-minutes']) }
  const report = await runOutage({ folder, ...sizes, progress })
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, undefined, 2)}\n`)
  console.log(JSON.stringify(report, undefined, 2))
  process.exitCode = report.failed + report.fencedRequests > 0 ? 1 : 0
  rmSync(folder, { recursive: true, force: true })
} catch (error) {
  console.error(error)
  process.exitCode = 70
} finally {
  // Whatever a failed run left open is not waited for.
  process.exit()
}
