import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { MUTANTS } from '../src/sim/mutants.ts'

// Runs every mutant until a seed catches it: `node scripts/sim-mutants.ts [SEEDS] [NAME...]`, 2,000 seeds unless said.
const [seeds = '2000', ...names] = process.argv.slice(2)
const run = join(import.meta.dirname, '../src/sim/run.ts')
let alive = 0
for (const { name, rule } of MUTANTS) {
  if (names.length > 0 && !names.includes(name)) continue
  const child = spawnSync(
    process.execPath,
    ['--no-warnings', run, '--seeds', `1-${seeds}`, '--mutant', name, '--first', '-o', 'json'],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  )
  const report = child.stdout.startsWith('{') ? JSON.parse(child.stdout) : undefined
  const [first] = report?.violations ?? []
  const caught = first === undefined ? 'NOT CAUGHT' : `${first.invariant} at seed ${first.seed}`
  if (first === undefined) alive++
  console.log(
    `${name.padEnd(34)} ${caught.padEnd(22)} ${report?.seeds ?? 0} seeds  ${rule}${first === undefined ? child.stderr.slice(0, 300) : ''}`,
  )
}
console.log(alive === 0 ? 'all mutants were caught' : `${alive} mutants live`)
process.exitCode = alive === 0 ? 0 : 1
