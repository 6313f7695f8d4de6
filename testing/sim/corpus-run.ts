import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawRented } from './rented/draw.ts'
import { drawScenario } from './scenario.ts'

// Keeps the schedule of a seed for ever: `node testing/sim/corpus-run.ts SEED "what it found" [--clouds]`.
const path = join(import.meta.dirname, './corpus.json')
const [seed = '', found = '', clouds] = process.argv.slice(2)
if (!/^\d+$/.test(seed) || found === '' || (clouds !== undefined && clouds !== '--clouds')) {
  console.error('usage: node testing/sim/corpus-run.ts SEED "what it found" [--clouds]')
  process.exitCode = 64
} else {
  const corpus = JSON.parse(readFileSync(path, 'utf8'))
  const draw = clouds === undefined ? drawScenario : drawRented
  corpus.push({ found, scenario: draw(Number(seed)) })
  writeFileSync(path, `[\n${corpus.map((each: unknown) => JSON.stringify(each)).join(',\n')}\n]\n`)
}
