import { connect, createServer, type Socket } from 'node:net'

// Carries connections from one place to another: a port of loopback, or the path of a socket in the file system, which is the
// same file in every network namespace. Two of them let a kubeconfig work inside and outside: node relay-run.ts FROM TO

const [from = '', into = ''] = process.argv.slice(2)

createServer((client) => carry(client, connect(addressOf(into)))).listen(addressOf(from))

function carry(client: Socket, server: Socket): void {
  client.pipe(server).pipe(client)
  client.on('error', () => server.destroy())
  server.on('error', () => client.destroy())
  client.on('close', () => server.destroy())
  server.on('close', () => client.destroy())
}

function addressOf(place: string): { readonly path: string } | { readonly port: number; readonly host: string } {
  return place.startsWith('/') ? { path: place } : { port: Number(place), host: '127.0.0.1' }
}
