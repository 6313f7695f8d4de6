import { expect, test } from 'vitest'
import { isIsolated } from './namespace.ts'

const HEAD = 'Iface\tDestination\tGateway \tFlags\n'
const LOOPBACK = `${'0'.repeat(31)}1 80 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000000 00000001 00000000 80200001       lo\n`

test('a network is isolated if every route leads to loopback', () => {
  expect(isIsolated([HEAD, LOOPBACK])).toBe(true)
  expect(isIsolated([HEAD, ''])).toBe(true)
})

test('one way out, and it is not', () => {
  expect(isIsolated([`${HEAD}eth0\t00000000\t0101A8C0\t0003\n`, LOOPBACK])).toBe(false)
  expect(isIsolated([HEAD, LOOPBACK + LOOPBACK.replace(/lo$/m, 'eth0')])).toBe(false)
})
