/** The most of one line that is kept: what comes after is dropped. */
const LINE_MOST = 1024 * 1024

/** Lines of a stream, without their ends, as they come. The last one needs no end. */
export async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of stream) {
    // Proven: without an encoding, a reply comes in buffers.
    rest += decoder.decode(part as Uint8Array, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LINE_MOST) rest = rest.slice(0, LINE_MOST)
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
