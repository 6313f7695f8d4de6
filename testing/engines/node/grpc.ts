import { connect as connectHttp2, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import { connect } from 'node:net'

// As much of gRPC and of protocol buffers as a device plugin speaks: every field is a text or a message, which look the same.

/** A field of a message: its number, and a text or another message. */
export function field(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

/** Values of the fields with this number. */
export function fieldsIn(message: Buffer, number: number): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < message.length;) {
    const key = readVarint(message, at)
    if (key.value % 8 !== 2) throw new Error(`a field of a kind that is not read: ${key.value % 8}`)
    const length = readVarint(message, key.end)
    const end = length.end + length.value
    if (Math.floor(key.value / 8) === number) found.push(message.subarray(length.end, end))
    at = end
  }
  return found
}

/** One method of a server; what it does not end goes on until the caller hangs up. */
export type Method = (request: Buffer, reply: Reply) => void

interface Reply {
  readonly send: (message: Buffer) => void
  readonly end: () => void
}

/** Serves methods, by their path, on a socket of the file system. */
export function serve(path: string, methods: Readonly<Record<string, Method>>): Http2Server {
  const server = createServer()
  server.on('stream', (stream, headers) => {
    const method = methods[String(headers[':path'])]
    const parts: Buffer[] = []
    stream.on('error', () => stream.destroy())
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => answer(stream, method, Buffer.concat(parts).subarray(5)))
  })
  return server.listen(path)
}

/** Calls a method that takes one message and returns one. */
export function call(socket: string, path: string, message: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const session = connectHttp2('http://localhost', { createConnection: () => connect(socket) })
  session.on('error', reject)
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' }
  const stream = session.request(headers)
  const settle = (told: Readonly<Record<string, unknown>>): void => {
    if (told['grpc-status'] === undefined) return
    if (told['grpc-status'] === '0') resolve()
    else reject(new Error(`${path}: ${String(told['grpc-message'])}`))
    session.close()
  }
  stream.on('response', settle)
  stream.on('trailers', settle)
  stream.on('error', reject)
  stream.resume()
  stream.end(framed(message))
  return promise
}

const UNIMPLEMENTED = '12'

function answer(stream: ServerHttp2Stream, method: Method | undefined, request: Buffer): void {
  const head = { ':status': 200, 'content-type': 'application/grpc' }
  if (method === undefined) return stream.respond({ ...head, 'grpc-status': UNIMPLEMENTED }, { endStream: true })
  stream.respond(head, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  method(request, { send: (message) => void stream.write(framed(message)), end: () => void stream.end() })
}

/** Not compressed, and so many bytes. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let at = start, scale = 1; at < bytes.length; at++, scale *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte % 128) * scale
    if (byte < 128) return { value, end: at + 1 }
  }
  throw new Error('the message ends in the middle of a number')
}
