import { runBeside } from './beside.ts'

// npm test and npm run test:all: the tests, and beside them types, lint, format and what is unused.

const tests = ['vitest', 'run', ...process.argv.slice(2)] as const
const check = ['npm', 'run', '--silent', 'check'] as const

process.exitCode = await runBeside({ argv: tests }, { argv: check }, (text) => process.stderr.write(text))
