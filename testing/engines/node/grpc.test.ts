import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, field, fieldsIn, serve } from './grpc.ts'

test('what is written is read', () => {
  const long = 'x'.repeat(300)
  const message = Buffer.concat([field(1, 'one'), field(2, field(1, long)), field(1, 'more')])
  expect(fieldsIn(message, 1).map(String)).toEqual(['one', 'more'])
  expect(fieldsIn(fieldsIn(message, 2)[0] ?? Buffer.alloc(0), 1).map(String)).toEqual([long])
  expect(fieldsIn(message, 3)).toEqual([])
  expect(() => fieldsIn(message.subarray(0, 2).fill(0xff), 1)).toThrow('the message ends')
})

test('a method is called, and one that is not there is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-grpc-'))
  const socket = join(folder, 'server.sock')
  const heard: string[] = []
  const server = serve(socket, {
    '/test.Echo/Say': (request, reply) => {
      heard.push(...fieldsIn(request, 1).map(String))
      reply.send(field(1, 'heard'))
      reply.end()
    },
  })
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  await call(socket, '/test.Echo/Say', field(1, 'hello'))
  expect(heard).toEqual(['hello'])
  await expect(call(socket, '/test.Echo/Sing', field(1, 'hello'))).rejects.toThrow('/test.Echo/Sing')
})
