import { createServer, request } from 'node:http'
import { expect, test } from 'vitest'
import { Dice } from '../../src/core/base/dice.ts'
import { World } from '../../src/gateway/world.suite.ts'

// Conversations of several turns through the gateway, with replicas that remember the last few prompts they have seen, as the cache of an
// engine does. Whoever misses it takes longer.

const REPLICAS = 6
const CACHED = 8
const CONVERSATIONS = 48
const TURNS = 2400
const AT_A_TIME = 120
const HIT_MS = 4
const MISS_MS = 8

/** How many requests found their prompt remembered. */
async function measure(affinity: 'prefix' | undefined): Promise<number> {
  const world = await World.open()
  const count = { hits: 0 }
  const ports = Array.from({ length: REPLICAS }, () => world.listen(replica(count)))
  world.serve('web', await Promise.all(ports), affinity === undefined ? {} : { affinity })
  const dice = new Dice(11)
  const turns = Array.from({ length: CONVERSATIONS }, () => 0)
  const order = Array.from({ length: TURNS }, () => dice.roll(CONVERSATIONS)).values()
  const caller = async (): Promise<void> => {
    for (const who of order) {
      turns[who] = (turns[who] ?? 0) + 1
      await say(world.port, who, turns[who])
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, caller))
  await world.close()
  return count.hits
}

function replica(count: { hits: number }) {
  let cached: readonly string[] = []
  return createServer((asked, response) => {
    let text = ''
    asked.on('data', (piece: Buffer) => (text += piece.toString()))
    asked.on('end', () => {
      const prompt = JSON.stringify(JSON.parse(text).messages.slice(0, 2))
      const isHit = cached.includes(prompt)
      if (isHit) count.hits++
      cached = [prompt, ...cached.filter((one) => one !== prompt)].slice(0, CACHED)
      setTimeout(() => response.end('said'), isHit ? HIT_MS : MISS_MS)
    })
  })
}

/** One turn: everything that was said so far, and one more. */
function say(port: number, who: number, turn: number): Promise<void> {
  const told = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: `I am caller ${who}.` },
  ]
  const said = Array.from({ length: turn }, (_, at) => ({ role: 'user', content: `and ${at}?` }))
  const body = JSON.stringify({ model: 'm', messages: [...told, ...said] })
  return new Promise((resolve, reject) => {
    const path = '/default/web/v1/chat/completions'
    const asking = request({ port, host: '127.0.0.1', path, method: 'POST', agent: false }, (response) => {
      response.resume().on('end', resolve)
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

// What requests wait for is measured by `npm run bench -- affinity` and held by src/core/route/affinity.test.ts.
test('through the gateway, prefix affinity hits at least twice as often as least load', async () => {
  const least = await measure(undefined)
  const prefix = await measure('prefix')
  expect(prefix).toBeGreaterThanOrEqual(2 * least)
})
