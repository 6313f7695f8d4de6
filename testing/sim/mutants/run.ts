import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MUTANTS } from './mutants.ts'
import type { Mutant } from './mutant.ts'

// Runs every mutant until a seed catches it, two at a time, and prints a table of them:
// `node testing/sim/mutants/run.ts [SEEDS] [NAME...]`, 2,000 seeds and all of them unless said.
// The seed that caught a mutant last time is tried first; without caught.json all begin with the first seed.
const AT_ONCE = 2
const [seeds = '2000', ...names] = process.argv.slice(2)
const RUN = join(import.meta.dirname, '../run.ts')
const CAUGHT = join(import.meta.dirname, 'caught.json')
// Written below.
const caughtAt = JSON.parse(readFileSync(CAUGHT, 'utf8')) as Record<string, number>

interface Ran {
  readonly mutant: Mutant
  readonly invariant: string | undefined
  readonly seed: number
  readonly error: string
}

async function run(mutant: Mutant): Promise<Ran> {
  const known = caughtAt[mutant.name]
  const again = known === undefined ? undefined : await runSeeds(mutant, `${known}-${known}`)
  return again?.invariant === undefined ? runSeeds(mutant, `1-${seeds}`) : again
}

async function runSeeds(mutant: Mutant, range: string): Promise<Ran> {
  const flags = ['--seeds', range, '--mutant', mutant.name, '--first', '--threads', '1', '-o', 'json']
  // A run that finds something ends with another code than 0, and rejects with its output.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--no-warnings', RUN, ...flags], {
    maxBuffer: 1 << 28,
  }).catch((error: { stdout: string; stderr: string }) => error)
  const report = stdout.startsWith('{') ? JSON.parse(stdout) : undefined
  const [first] = report?.violations ?? []
  return { mutant, invariant: first?.invariant, seed: first?.seed ?? 0, error: stderr.slice(0, 300) }
}

const waiting = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name))
const order = new Map(waiting.map(({ name }, index) => [name, index]))
const done: Ran[] = []
async function work(): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const ran = await run(mutant)
    done.push(ran)
    const caught = ran.invariant === undefined ? `NOT CAUGHT ${ran.error}` : `${ran.invariant} at seed ${ran.seed}`
    console.error(`${mutant.name.padEnd(34)} ${caught}`)
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work))
console.log('| mutant | the rule it breaks | caught by | at seed |\n|---|---|---|---|')
for (const { mutant, invariant, seed } of done.toSorted(
  (one, two) => (order.get(one.mutant.name) ?? 0) - (order.get(two.mutant.name) ?? 0),
)) {
  console.log(
    `| \`${mutant.name}\` | ${mutant.rule} | ${invariant ?? '**nothing**'} | ${invariant === undefined ? '' : seed} |`,
  )
}
for (const { mutant, invariant, seed } of done) if (invariant !== undefined) caughtAt[mutant.name] = seed
writeFileSync(CAUGHT, `${JSON.stringify(caughtAt, undefined, 2)}\n`)
const alive = done.filter(({ invariant }) => invariant === undefined).length
console.log(`\nMutants: ${done.length - alive} passed, ${alive} failed`)
process.exitCode = alive === 0 ? 0 : 1
