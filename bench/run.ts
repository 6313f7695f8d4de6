import { setFlagsFromString } from 'node:v8'
import { stringify } from 'yaml'
import type { Bench } from './bench.ts'
import * as registered from './registry.ts'

// As in src/entry/start.ts.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')

const benches = Object.values<Bench>(registered)
const [word, ...argv] = process.argv.slice(2)
const bench = benches.find((candidate) => candidate.name === word)

if (bench === undefined) {
  console.log('npm run bench -- WORD [flags] [-o json]\n')
  for (const { name, about } of benches) console.log(`  ${name.padEnd(10)} ${about}`)
  process.exitCode = word === undefined ? 0 : 64
} else {
  const figures = await bench.run(argv)
  console.log(argv.includes('json') ? JSON.stringify(figures, undefined, 2) : stringify(figures).trimEnd())
}
