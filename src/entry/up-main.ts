import { setFlagsFromString } from 'node:v8'
import { installedWith } from './installed.ts'
import { start } from './start.ts'
import { up } from '../up/up.ts'

// A control plane runs for months next to other programs, so garbage is collected before the heap doubles. This starts
// after the initial load, during which everything allocated stays alive.
setTimeout(() => setFlagsFromString('--heap-growing-percent=50'), 5000).unref()

// The entry point for `berth up`, the only one that loads everything a control plane needs.
await start(process.argv.slice(2), installedWith(import.meta.url), { up })
// Calls that still wait for a provider's answer need not finish: everything durable is written.
process.exit()
