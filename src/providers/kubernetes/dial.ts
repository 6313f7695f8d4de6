import type { Answer, Call, Pipe } from '../../ports/provider.ts'
import { inNamespace } from './api/paths.ts'
import { WebSocketStream } from './api/web-socket.ts'
import type { ExecAt } from './exec.ts'

/** What each message begins with. The first one on each channel has the port, in two bytes. */
const CHANNEL = { data: 0, error: 1 } as const
const PROTOCOLS = ['v4.channel.k8s.io']

/** Connects to a port of a pod through the API server and the node. One direction alone cannot be closed. */
export async function dialIn({ client, namespace, name }: ExecAt, port: number, call: Call): Promise<Answer<Pipe>> {
  const path = inNamespace(namespace, 'pods', name, 'portforward')
  const reply = await client.upgrade({ method: 'GET', path, query: { ports: port } }, PROTOCOLS, call)
  if (!reply.ok) return { ok: false, fault: reply.fault }
  const socket = new WebSocketStream(reply.socket, reply.head)
  call.signal.addEventListener('abort', () => socket.destroy(), { once: true })
  return {
    ok: true,
    value: {
      output: come(socket, port),
      write: (bytes) => socket.send(Buffer.concat([Buffer.from([CHANNEL.data]), bytes])),
      end: () => undefined,
    },
  }
}

async function* come(socket: WebSocketStream, port: number): AsyncGenerator<Uint8Array> {
  const begun = new Set<number>()
  try {
    for await (const message of socket.messages()) {
      const [channel = -1] = message
      const data = message.subarray(begun.has(channel) ? 1 : 3)
      begun.add(channel)
      if (channel === CHANNEL.data && data.length > 0) yield data
      if (channel === CHANNEL.error && data.length > 0) throw new Error(refusal(data.toString('utf8'), port))
    }
  } finally {
    socket.destroy()
  }
}

/** What a node says is long, and has little in it. */
function refusal(text: string, port: number): string {
  if (/refused/i.test(text)) return `Nothing listens on port ${port} of the pod.`
  return `The node could not connect to port ${port} of the pod: ${text.trim().slice(0, 300)}`
}
