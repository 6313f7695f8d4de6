import { expect, test } from 'vitest'
import { isPrivateListen } from '../../src/up/listen.ts'

test.each(['127.0.0.1:7700', 'localhost:0', '[::1]:7700', ':7700', '127.9.9.9:1'])(
  '%s is this machine alone',
  (listen) => {
    expect(isPrivateListen({ listen })).toBe(true)
  },
)

test.each(['0.0.0.0:7700', '[::]:7700', '10.0.0.1:7700', 'example.com:80', '127.0.0.1.evil.com:80'])(
  '%s is refused, unless it is meant',
  (listen) => {
    expect(() => isPrivateListen({ listen })).toThrow('LISTEN_INSECURE')
    const hint: unknown = expect.stringContaining('--tls-cert FILE')
    expect(() => isPrivateListen({ listen })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ hint })] }),
    )
    expect(isPrivateListen({ listen, insecureListen: true })).toBe(false)
    expect(isPrivateListen({ listen, tlsCert: 'chain.pem' })).toBe(false)
  },
)
