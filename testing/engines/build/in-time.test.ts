import { expect, test } from 'vitest'
import { runInTime } from './in-time.ts'

test('a program that ends well, or says why it does not', async () => {
  await runInTime('sh', ['-c', 'exit 0'], 60_000)
  await expect(runInTime('sh', ['-c', 'echo one >&2; echo no way >&2; exit 3'], 60_000)).rejects.toThrow(
    'sh ended with 3: no way',
  )
  await expect(runInTime('no-such-program', [], 60_000)).rejects.toThrow('ENOENT')
})

test('one that takes too long ends with all that it started, which holds on to what it prints', async () => {
  const startedMs = performance.now()
  const slow = runInTime('sh', ['-c', 'sleep 600 & sleep 600'], 300)
  await expect(slow).rejects.toThrow('sh did not end within 0 s')
  expect(performance.now() - startedMs).toBeLessThan(60_000)
})
