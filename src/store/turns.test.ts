import { expect, test } from 'vitest'
import { nextTurn } from '../ports/turn.ts'
import { makeTurns } from './turns.ts'

/** Work that takes so long by a clock that nothing else moves. */
function world() {
  let atMs = 0
  const turns = makeTurns(() => atMs)
  return { turns, busy: (ms: number) => void (atMs += ms) }
}

/** How many turns others get until it is done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  const counting = { isDone: false, turns: 0 }
  void done.then(() => (counting.isDone = true))
  for (; !counting.isDone; counting.turns++) await nextTurn()
  return counting.turns
}

test('many short pieces of work at once are spread over many turns', async () => {
  const { turns, busy } = world()
  const all = Promise.all(Array.from({ length: 100 }, () => turns.soon(() => busy(1))))
  expect(await turnsUntil(all)).toBeGreaterThan(20)
})

test('one who reads on and on lets others run between any two pieces', async () => {
  const { turns, busy } = world()
  let left = 50
  const reading = turns.pieces((isLong) => {
    while (left > 0 && !isLong()) {
      busy(1)
      left--
    }
    return left === 0 ? 'all' : undefined
  })
  expect(await turnsUntil(reading)).toBeGreaterThan(10)
  expect(await reading).toBe('all')
})

test('what is short waits for one piece of what is long, and what may not wait does not', async () => {
  const { turns, busy } = world()
  let isEnd = false
  const order: string[] = []
  const reading = turns.pieces(() => {
    busy(5)
    order.push('piece')
    return isEnd ? 'end' : undefined
  })
  const quick = turns.soon(() => order.push('short'))
  turns.now(() => order.push('now'))
  await quick
  expect(order.slice(0, 3)).toEqual(['piece', 'now', 'short'])
  isEnd = true
  await reading
})

test('work that fails rejects, and stops nobody else', async () => {
  const { turns, busy } = world()
  const failing = turns.soon(() => {
    busy(9)
    throw new Error('broken')
  })
  const next = turns.soon(() => 'fine')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('fine')
})

test('a long read whose signal is aborted is not continued', async () => {
  const { turns, busy } = world()
  const stop = new AbortController()
  let pieces = 0
  const reading = turns.pieces(() => {
    pieces++
    busy(5)
    if (pieces === 3) stop.abort('enough')
    return undefined
  }, stop.signal)
  await expect(reading).rejects.toBe('enough')
  expect(pieces).toBe(3)
})
