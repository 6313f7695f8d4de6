import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawScenario } from './scenario.ts'

// Keeps the schedule of a seed for ever: `node testing/sim/corpus-run.ts SEED "what it found"`.
const path = join(import.meta.dirname, './corpus.json')
const [seed = '', found = ''] = process.argv.slice(2)
if (!/^\d+$/.test(seed) || found === '') {
  console.error('usage: node testing/sim/corpus-run.ts SEED "what it found"')
  process.exitCode = 64
} else {
  const corpus = JSON.parse(readFileSync(path, 'utf8'))
  corpus.push({ found, scenario: drawScenario(Number(seed)) })
  writeFileSync(path, `[\n${corpus.map((each: unknown) => JSON.stringify(each)).join(',\n')}\n]\n`)
}
