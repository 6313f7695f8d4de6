import { expect, test } from 'vitest'
import { Seats } from './seats.ts'

const LIMITS = { all: 10, token: 3, address: 6, reserve: 2 }
const sitter = (name: string, address = name) =>
  ({ actor: { name, role: 'reader', projects: ['default'] }, address }) as const
const ADMIN = { actor: { name: 'root', role: 'admin', projects: ['*'] }, address: 'a' } as const
/** An administrator of one project has no part in what is kept for those of all. */
const LESSER = { actor: { name: 'lesser', role: 'admin', projects: ['default'] }, address: 'z' } as const

test('one token has its share, and gets a place back for each that it leaves', () => {
  const seats = new Seats(LIMITS)
  const leave = [1, 2, 3].map(() => seats.take(sitter('one')))
  expect(() => seats.take(sitter('one'))).toThrow('STREAMS_FULL')
  seats.take(sitter('two'))
  leave[0]?.()
  leave[0]?.()
  seats.take(sitter('one'))
  expect(() => seats.take(sitter('one'))).toThrow('one already has 3 streams')
})

test('many tokens from one address have theirs together', () => {
  const seats = new Seats(LIMITS)
  for (const name of ['a', 'a', 'a', 'b', 'b', 'b']) seats.take(sitter(name, 'host'))
  expect(() => seats.take(sitter('c', 'host'))).toThrow('from this address')
  seats.take(sitter('c', 'elsewhere'))
  seats.take({ ...ADMIN, address: 'host' })
})

test('when all are taken, an administrator still gets one', () => {
  const seats = new Seats(LIMITS)
  for (let at = 0; at < 8; at++) seats.take(sitter(`r${at}`))
  expect(() => seats.take(sitter('late'))).toThrow('8 streams')
  expect(() => seats.take(LESSER)).toThrow('8 streams')
  seats.take(ADMIN)
  seats.take(ADMIN)
  expect(() => seats.take(ADMIN)).toThrow('10 streams')
})
