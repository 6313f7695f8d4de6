import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { start } from './start.ts'

await start(process.argv.slice(2), join(dirname(fileURLToPath(import.meta.url)), '../..'))
