import { expect, test } from 'vitest'
import { nextTurn } from '../ports/turn.ts'
import { PASS_MOST, Turnstile, type RequestInLine } from './turnstile.ts'

const reader = { name: 'reader', role: 'reader', projects: ['a'] } as const
const admin = { name: 'root', role: 'admin', projects: ['*'] } as const

/** Requests that arrive together, and those of them that have begun, in order. */
function arriving() {
  const turnstile = new Turnstile()
  const begun: string[] = []
  const arrive = async (name: string, arrival: RequestInLine): Promise<void> => {
    await turnstile.pass(arrival)
    begun.push(name)
  }
  const many = (name: string, count: number, arrival: RequestInLine): void => {
    for (let at = 0; at < count; at++) void arrive(`${name}${at}`, arrival)
  }
  return { begun, arrive, many }
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await nextTurn()
}

test('hundreds of requests are begun over several turns, in their order', async () => {
  const { begun, many } = arriving()
  many('', PASS_MOST * 4, { actor: reader, isRead: true })
  await Promise.resolve()
  const counts = [begun.length]
  while (begun.length < PASS_MOST * 4) {
    const before = begun.length
    await nextTurn()
    counts.push(begun.length - before)
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(PASS_MOST)
  expect(begun).toEqual(Array.from({ length: PASS_MOST * 4 }, (_, at) => `${at}`))
})

test('one request alone waits for nothing', () => {
  expect(new Turnstile().pass({ actor: reader, isRead: true })).toBeUndefined()
})

test('a caller with many requests delays no other, and an administrator comes first', async () => {
  const { begun, many, arrive } = arriving()
  many('many', PASS_MOST * 10, { actor: reader, isRead: true })
  void arrive('other', { actor: { ...reader, name: 'other' }, isRead: true })
  many('admin', 2, { actor: admin, isRead: true })
  await turns(2)
  const waited = begun.slice(PASS_MOST)
  expect(waited.slice(0, 2)).toEqual(['admin0', 'admin1'])
  expect(waited.indexOf('other')).toBeLessThan(PASS_MOST)
})

test('reads are begun beside changes, however many of those there are', async () => {
  const { begun, many } = arriving()
  many('change', PASS_MOST * 10, { actor: admin, isRead: false })
  many('read', 4, { actor: admin, isRead: true })
  await Promise.resolve()
  expect(begun).toHaveLength(PASS_MOST)
  await turns(1)
  expect(begun.filter((name) => name.startsWith('read'))).toHaveLength(4)
  expect(begun).toHaveLength(PASS_MOST * 2)
})
