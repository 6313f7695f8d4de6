import { setFlagsFromString } from 'node:v8'
import { installedWith } from './installed.ts'
import { start } from './start.ts'
import { up } from '../up/up.ts'

// It runs for months beside other things: what is dead is collected before there is as much of it as of the living. Not
// while everything is read at the start, when all that comes stays.
setTimeout(() => setFlagsFromString('--heap-growing-percent=50'), 5000).unref()

// The way into Berth for `berth up`: everything that a control plane needs is loaded, and only then.
await start(process.argv.slice(2), installedWith(import.meta.url), up)
// Whatever still waits for a provider's answer waits for nothing: everything durable is written.
process.exit()
