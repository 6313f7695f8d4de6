import { expect, test } from 'vitest'
import { addressText, readAddress } from './address.ts'

test('an address has one text', () => {
  expect(addressText({ host: '10.0.0.1', port: 80, tls: false })).toBe('10.0.0.1:80')
  expect(addressText({ host: 'fd00::1', port: 80, tls: false })).toBe('[fd00::1]:80')
  expect(addressText({ host: 'pod.example.com', port: 443, tls: true })).toBe('tls://pod.example.com:443')
})

test.each([
  'a:1',
  null,
  { host: '', port: 80, tls: false },
  { host: 'a b', port: 80, tls: false },
  { host: 'a/../b', port: 80, tls: false },
  { host: '[::1]', port: 80, tls: false },
  { host: 'a', port: 0, tls: false },
  { host: 'a', port: 65_536, tls: false },
  { host: 'a', port: '80', tls: false },
  { host: 'a', port: 80 },
])('%j is no address', (value) => {
  expect(readAddress(value)).toBeUndefined()
})
