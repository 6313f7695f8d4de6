import type { IncomingMessage } from 'node:http'

/** A stream that is never quiet is read for so many times as long as one that is. */
const ENOUGH_TIMES = 5

/** What came of a reply until nothing more came for a while, it ended, or enough was read or waited. */
export async function soFar(
  incoming: IncomingMessage,
  { bytesMost, quietMs }: { readonly bytesMost: number; readonly quietMs: number },
): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(quiet)
      clearTimeout(enough)
      incoming.destroy()
      resolve(Buffer.concat(parts).subarray(0, bytesMost).toString('utf8'))
    }
    let quiet = setTimeout(end, quietMs)
    const enough = setTimeout(end, ENOUGH_TIMES * quietMs)
    incoming.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      clearTimeout(quiet)
      if (bytes >= bytesMost) end()
      else quiet = setTimeout(end, quietMs)
    })
    incoming.once('end', end)
    incoming.once('error', (error) => {
      clearTimeout(quiet)
      clearTimeout(enough)
      reject(error)
    })
  })
}

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
