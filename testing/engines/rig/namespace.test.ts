import { expect, test } from 'vitest'
import { isIsolated } from './namespace.ts'

const HEAD = 'Iface\tDestination\tGateway \tFlags\n'
const v6 = (destination: string, link: string): string =>
  `${destination.padEnd(32, '0')} 80 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000000 00000001 00000000 80200001       ${link}\n`

test('a network is isolated if every route leads to loopback, or to the pods of a real node', () => {
  expect(isIsolated({ v4: HEAD, v6: v6('0', 'lo') })).toBe(true)
  expect(isIsolated({ v4: HEAD, v6: '' })).toBe(true)
  expect(isIsolated({ v4: `${HEAD}rig0\t0000400A\t00000000\t0001\n`, v6: v6('0', 'lo') + v6('fe80', 'veth1') })).toBe(
    true,
  )
})

test('one way out, and it is not', () => {
  expect(isIsolated({ v4: `${HEAD}eth0\t00000000\t0101A8C0\t0003\n`, v6: v6('0', 'lo') })).toBe(false)
  expect(isIsolated({ v4: HEAD, v6: v6('0', 'lo') + v6('2001', 'eth0') })).toBe(false)
})
