import { createServer } from 'node:http'

// A replica of `npm run bench -- failover`: answers after a moment, and fails in the way that its parent tells it.

let mode = 'well'
const server = createServer((request, response) => {
  if (mode === 'reset') return void request.socket.resetAndDestroy()
  if (mode === '5xx') return void response.writeHead(500).end('broken')
  setTimeout(() => response.end('ok'), 2)
})
process.on('message', (told) => (mode = String(told)))
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  process.send?.({ port: typeof at === 'object' && at !== null ? at.port : 0 })
})
