import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runHostile } from './run.ts'

const HELP = `A hostile reader and a hostile writer at once against a real control plane, beside an administrator who needs it.

Usage: node testing/hostile/hostile.ts [--seconds 120] [--log-bytes 1000000000] [--streams 512] [--events 1000000] [--halves 4000]
                               [--node='--cpu-prof --cpu-prof-dir=DIR']

Required: ps of the administrator within 200 ms (p99), at most 500 MiB of memory, the lease never lost, every stop carried
out. Prints one line a figure; exit code 1 when one of them was missed.`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    'log-bytes': { type: 'string', default: '1000000000' },
    streams: { type: 'string', default: '512' },
    events: { type: 'string', default: '1000000' },
    halves: { type: 'string', default: '4000' },
    node: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'))
  try {
    const report = await runHostile({
      folder,
      seconds: Number(values.seconds),
      logBytes: Number(values['log-bytes']),
      streams: Number(values.streams),
      events: Number(values.events),
      halves: Number(values.halves),
      node: values.node.split(' ').filter((word) => word !== ''),
      progress: (line) => console.error(line),
    })
    for (const [name, value] of Object.entries(report)) console.log(`${name} ${JSON.stringify(value)}`)
    const { failed, p99Ms, rssMibMax, leasesLost, stopsOverdue } = report
    const isMissed = failed > 0 || p99Ms > 200 || rssMibMax > 500 || leasesLost > 0 || stopsOverdue.length > 0
    process.exitCode = isMissed ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
