import { createServer, type Socket } from 'node:net'

// A server that costs as little as can be, so that the figures are those of what stands before it. Says its port to its parent.

const BODY = 'x'.repeat(100)
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  'latin1',
)
const STREAM = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const streams = new Set<Socket>()

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    if (bytes.toString('latin1', 0, 32).includes('/stream ')) {
      socket.write(STREAM)
      streams.add(socket)
      socket.on('close', () => streams.delete(socket))
    } else socket.write(ANSWER)
  })
})
// Each event says when it was sent.
setInterval(() => {
  if (streams.size === 0) return
  const text = `data: ${process.hrtime.bigint()}\n\n`
  const chunk = Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`, 'latin1')
  for (const socket of streams) socket.write(chunk)
}, 500)
server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  process.send?.({ port: typeof at === 'object' && at !== null ? at.port : 0 })
})
process.on('disconnect', () => process.exit(0))
