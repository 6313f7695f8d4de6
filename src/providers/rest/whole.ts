import type { IncomingMessage } from 'node:http'

/** The whole body of a reply. One that is larger than this, or was cut off, is an error that says so. */
export async function wholeOf(incoming: IncomingMessage, bytesMost: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming) {
    // Proven: without an encoding, a reply comes in buffers.
    const buffer = part as Buffer
    bytes += buffer.length
    if (bytes > bytesMost) {
      incoming.destroy()
      throw new Error(`its reply is larger than ${bytesMost} bytes`)
    }
    parts.push(buffer)
  }
  if (!incoming.complete) throw new Error('its reply was cut off')
  return Buffer.concat(parts).toString('utf8')
}
