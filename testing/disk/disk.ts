import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runDisk, whyNoDisk } from './run.ts'

const HELP = `Fills the disk of a real control plane to the last byte and frees it again, under load (SQLite, a small tmpfs; needs root).

Usage: node testing/disk/disk.ts [--rounds 10] [--seconds 8]

Nothing that was accepted may be lost, what is removed while the disk is full must go, reads must work all the time, and
no restart may be needed. Prints one line a figure; exit code 1 when anything was lost or wrong.`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
})
const why = whyNoDisk()
if (values.help) console.log(HELP)
else if (why !== undefined) console.log(`skipped: ${why}`)
else {
  const folder = mkdtempSync(join(tmpdir(), 'berth-disk-'))
  try {
    const progress = (line: string): void => console.error(line)
    const report = await runDisk({
      folder,
      rounds: Number(values.rounds),
      fullMs: Number(values.seconds) * 1000,
      progress,
    })
    for (const [name, value] of Object.entries(report)) console.log(`${name} ${JSON.stringify(value)}`)
    process.exitCode = report.lost.length + report.wrong.length > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
