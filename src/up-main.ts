import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { start } from './start.ts'
import { up } from './up.ts'

// The way into Berth for `berth up`: everything that a control plane needs is loaded, and only then.
await start(process.argv.slice(2), join(dirname(fileURLToPath(import.meta.url)), '..'), up)
// Whatever still waits for a provider's answer waits for nothing: everything durable is written.
process.exit()
