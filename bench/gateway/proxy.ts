import { createServer } from 'node:net'
import { Gateway } from '../../src/gateway/gateway.ts'

// The gateway's engine alone, with one service. Answers its processor time in microseconds whenever its parent asks.

const gateway = new Gateway({ nowMs: () => performance.now(), random: Math.random, id: 'bench' })
const address = `127.0.0.1:${process.argv[2]}`
gateway.take({
  project: 'default',
  name: 'echo',
  replicas: [{ id: '0.a', address, provider: 'here', region: 'here', state: 'ready' }],
})
const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => gateway.accept(socket, 'http'))
server.listen(0, '127.0.0.1', 4096, () => {
  const at = server.address()
  process.send?.({ port: typeof at === 'object' && at !== null ? at.port : 0 })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuUs: user + system })
})
process.on('disconnect', () => process.exit(0))
