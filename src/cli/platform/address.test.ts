import { expect, test } from 'vitest'
import { gatewayAddress } from './address.ts'

test.each(['127.0.0.1:7800', '[::1]:443', 'localhost:80', 'edge-1.example.com:65535'])('%s is an address', (text) => {
  expect(gatewayAddress(text)).toBe(text)
})

test.each(['nonsense', ':80', '127.0.0.1:', '127.0.0.1:0', '127.0.0.1:65536', '::1:80', 'a b:80', ''])(
  '%s is refused with what to write',
  (text) => expect(() => gatewayAddress(text)).toThrow('Write a host and a port'),
)
