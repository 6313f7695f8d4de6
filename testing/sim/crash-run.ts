import { callsOf, crashAt, STORIES } from './crash.ts'

// Kills the control plane before and after every single call of every story, on this many seeds (default 10).
const seeds = Number(process.argv[2] ?? 10)
let runs = 0
let broken = 0
for (const story of STORIES) {
  for (let seed = 1; seed <= seeds; seed++) {
    const calls = await callsOf(story, seed)
    for (let call = 1; call <= calls; call++) {
      for (const when of ['before', 'after'] as const) {
        const { violations } = await crashAt(story, seed, { call, when })
        runs++
        if (violations.length === 0) continue
        broken++
        const [first] = violations
        console.log(`${story.name}, seed ${seed}, ${when} call ${call}: ${first?.invariant} ${first?.detail}`)
      }
    }
  }
}
console.log(`${runs} crashes, ${broken} broken`)
process.exitCode = broken > 0 ? 1 : 0
