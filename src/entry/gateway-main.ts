import { gateway } from '../gateway/main.ts'
import { installedWith } from './installed.ts'
import { start } from './start.ts'

// The entry point for `berth gateway`.
await start(process.argv.slice(2), installedWith(import.meta.url), { gateway })
// Nothing that is still open is waited for: whatever was under way is finished.
process.exit()
