import { runBeside } from './beside.ts'
import { COMPILED } from './compiled.ts'

// npm test and npm run test:all: the tests, and beside them types, lint, format and what is unused.

const tests = ['vitest', 'run', ...process.argv.slice(2)] as const
const check = ['npm', 'run', '--silent', 'check'] as const

process.exitCode = await runBeside({ argv: tests, env: COMPILED }, { argv: check, env: COMPILED }, (text) =>
  process.stderr.write(text),
)
