import { fuzz } from '../../src/server/fuzz.suite.ts'

// Sends malformed requests to the real API: `node testing/fuzz/api.ts [COUNT] [SEED]`. Exit 1 when one was answered
// with a failure of the server, or not at all.

const [count = '100000', seed = '1'] = process.argv.slice(2)
const { wrong, byStatus, requests, slowestMs } = await fuzz(Number(count), Number(seed))
console.log(
  JSON.stringify({ requests, seed: Number(seed), wrong: wrong.length, byStatus, slowestMs: Math.round(slowestMs) }),
)
for (const line of wrong.slice(0, 20)) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0
