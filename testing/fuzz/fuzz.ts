import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { judge } from './judge.ts'
import { fuzzCase } from './manifests.ts'

/**
 * Feeds the manifest parser with chance: `npm run fuzz -- --count 1000000 --seed 1`. Exit code 1: something broke, or
 * the parser took too long; times mean something only on a machine that is otherwise idle.
 */
const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const count = Number(values.count)
const seed = Number(values.seed)
const P99_MAX_MS = 20

/** Cases by hundredths of a millisecond, so that a million of them need no list of a million times. */
const times = new Uint32Array(100_000)
const outcomes = new Map<string, number>()
const faults: string[] = []
let slowest = { ms: 0, seed: 0, kind: '' }

for (let index = 0; index < 2000; index++) judge(fuzzCase(index).input)
const heapBefore = heapMb()
for (let index = 0; index < count && faults.length < 10; index++) {
  const caseSeed = (Math.imul(seed, 0x9e3779b1) + index) >>> 0
  const { kind, input } = fuzzCase(caseSeed)
  const startMs = performance.now()
  const { outcome, fault } = judge(input)
  const ms = performance.now() - startMs
  const slot = Math.min(times.length - 1, Math.floor(ms * 100))
  times[slot] = (times[slot] ?? 0) + 1
  outcomes.set(`${kind}: ${outcome}`, (outcomes.get(`${kind}: ${outcome}`) ?? 0) + 1)
  if (ms > slowest.ms) slowest = { ms, seed: caseSeed, kind }
  if (fault !== undefined) faults.push(`case ${caseSeed} (${kind}): ${fault}`)
}
const heapAfter = heapMb()

for (const [name, number] of [...outcomes].sort()) console.log(`${name} ${number}`)
for (const fault of faults) console.error(fault)
const p99 = percentileMs(0.99)
console.log(
  `fuzz seed ${seed}: ${count} cases, ${faults.length} faults, p50 ${percentileMs(0.5)} ms, p99 ${p99} ms, ` +
    `p99.9 ${percentileMs(0.999)} ms, max ${slowest.ms.toFixed(0)} ms (${slowest.kind}, case ${slowest.seed}), ` +
    `heap ${heapBefore} MB before, ${heapAfter} MB after`,
)
process.exitCode = faults.length > 0 || p99 > P99_MAX_MS ? 1 : 0

function percentileMs(share: number): number {
  let left = times.reduce((sum, number) => sum + number, 0) * share
  for (const [slot, number] of times.entries()) {
    left -= number
    if (left <= 0) return (slot + 1) / 100
  }
  return times.length / 100
}

/** Live heap, after everything that is garbage has been collected. */
function heapMb(): string {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return (process.memoryUsage().heapUsed / 2 ** 20).toFixed(1)
}
