import { installedWith } from './installed.ts'
import { start } from './start.ts'

await start(process.argv.slice(2), installedWith(import.meta.url))
