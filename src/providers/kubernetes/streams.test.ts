import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import type { Call } from '../../ports/provider.ts'
import { KubeClient } from './api/client.ts'
import { dialIn } from './dial.ts'
import { sessionIn } from './exec.ts'

/** What a node does with a message, and what it sends. */
interface FakeNode {
  readonly protocol: string
  readonly send: (...bytes: readonly (number | string)[]) => void
  readonly close: () => void
}

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** An API server that upgrades every request, and hands its messages on. */
async function apiServer(
  told: (node: FakeNode, message: Buffer) => void,
  { protocol, begun }: { readonly protocol: string; readonly begun?: (node: FakeNode) => void },
) {
  const asked: string[] = []
  const server = createServer()
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    asked.push(request.url ?? '')
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-protocol: ${protocol}\r\n\r\n`,
    )
    const node: FakeNode = {
      protocol,
      send: (...bytes) => {
        const data = Buffer.concat(bytes.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.from([each])))) // prettier-ignore
        socket.write(Buffer.concat([Buffer.from([0x82, data.length]), data]))
      },
      close: () => void socket.end(Buffer.from([0x88, 0])),
    }
    begun?.(node)
    let rest = Buffer.alloc(0)
    socket.on('data', (piece: Buffer) => {
      rest = Buffer.concat([rest, piece])
      for (
        let length = (rest[1] ?? 0) & 127;
        rest.length >= 6 + length && rest.length >= 6;
        length = (rest[1] ?? 0) & 127
      ) {
        const mask = rest.subarray(2, 6)
        const data = Buffer.from(rest.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)))
        rest = rest.subarray(6 + length)
        told(node, data)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo // It listens on a port.
  const ready = { server: new URL(`http://127.0.0.1:${port}`), agents: {}, headers: {}, hidden: [] }
  const session = { ready: async () => ready, forget: () => false, close: () => undefined, namespace: async () => 'ml' }
  // Only what a client calls is here.
  const client = new KubeClient(session as unknown as ConstructorParameters<typeof KubeClient>[0])
  return { at: { client, namespace: 'ml', name: 'berth-a' }, asked }
}

function call(signal = new AbortController().signal): Call {
  return { signal, requestId: 'r' }
}

function must<T>(
  answer: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: unknown },
): T {
  if (!answer.ok) throw new Error(JSON.stringify(answer.fault))
  return answer.value
}

async function textOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(output)).toString()
}

describe('a port of a pod', () => {
  const begun = (node: FakeNode) => {
    node.send(0, 0x40, 0x1f)
    node.send(1, 0x40, 0x1f)
  }

  test('carries bytes in both directions, and ends when the other side does', async () => {
    const { at, asked } = await apiServer(
      (node, message) => {
        node.send(0, message.subarray(1).toString().toUpperCase())
        if (message.includes('!')) node.close()
      },
      { protocol: 'v4.channel.k8s.io', begun },
    )
    const pipe = must(await dialIn(at, 8000, call()))
    await pipe.write(Buffer.from('hello'))
    await pipe.write(Buffer.from(' you!'))
    expect(await textOf(pipe.output)).toBe('HELLO YOU!')
    expect(asked).toEqual(['/api/v1/namespaces/ml/pods/berth-a/portforward?ports=8000'])
  })

  test.each([
    ['dial tcp4 127.0.0.1:8000: connect: connection refused', 'Nothing listens on port 8000 of the pod.'],
    ['no network namespace', 'The node could not connect to port 8000 of the pod: no network namespace'],
  ])('what the node says (%s) is told: %s', async (said, told) => {
    const { at } = await apiServer(() => undefined, {
      protocol: 'v4.channel.k8s.io',
      begun: (node) => {
        begun(node)
        node.send(1, said)
      },
    })
    const pipe = must(await dialIn(at, 8000, call()))
    await expect(textOf(pipe.output)).rejects.toThrow(told)
  })
})

describe('a program in a pod that is written to', () => {
  const SUCCESS = '{"status":"Success"}'
  const FAILED = '{"status":"Failure","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}'

  test('gets its input and the end of it, and returns its code', async () => {
    const come: string[] = []
    const { at, asked } = await apiServer(
      (node, message) => {
        come.push(message[0] === 0 ? message.subarray(1).toString() : [...message].join())
        if (message[0] !== 255) return
        node.send(1, 'out ')
        node.send(2, 'err')
        node.send(3, FAILED)
        node.close()
      },
      { protocol: 'v5.channel.k8s.io' },
    )
    const session = must(await sessionIn(at, { argv: ['tar', '-x'], screen: undefined }, call()))
    await session.write(Buffer.from('archive'))
    session.end()
    expect(await textOf(session.output)).toBe('out err')
    expect(await session.ended).toBe(7)
    expect(come).toEqual(['archive', '255,0'])
    expect(asked[0]).toMatch(
      /exec\?container=main&command=tar&command=-x&stdin=true&stdout=true&stderr=true&tty=false$/,
    )
  })

  test('on a terminal it is told the size, and each new one', async () => {
    const come: string[] = []
    const { at } = await apiServer(
      (node, message) => {
        come.push(`${message[0]} ${message.subarray(1).toString()}`)
        if (come.length < 3) return
        node.send(3, SUCCESS)
        node.close()
      },
      { protocol: 'v4.channel.k8s.io' },
    )
    const session = must(await sessionIn(at, { argv: ['sh'], screen: { rows: 24, columns: 80 } }, call()))
    session.resize({ rows: 50, columns: 132 })
    await session.write(Buffer.from([3]))
    expect(await textOf(session.output)).toBe('')
    expect(await session.ended).toBe(0)
    expect(come).toEqual(['4 {"Width":80,"Height":24}', '4 {"Width":132,"Height":50}', '0 \u0003'])
  })

  test('a cluster that cannot close the input is named, instead of waiting for ever', async () => {
    const { at } = await apiServer(() => undefined, { protocol: 'v4.channel.k8s.io' })
    const answer = await sessionIn(at, { argv: ['tar'], screen: undefined }, call())
    expect(answer).toMatchObject({ ok: false, fault: { message: expect.stringContaining('Kubernetes 1.30') } })
  })

  test('a pod that goes away leaves no code; a caller that goes away ends it', async () => {
    const { at } = await apiServer(() => undefined, { protocol: 'v5.channel.k8s.io', begun: (node) => node.close() })
    const lost = must(await sessionIn(at, { argv: ['sh'], screen: undefined }, call()))
    expect(await textOf(lost.output)).toBe('')
    expect(await lost.ended).toBeUndefined()
    const waiting = await apiServer(() => undefined, { protocol: 'v5.channel.k8s.io' })
    const stop = new AbortController()
    const left = must(await sessionIn(waiting.at, { argv: ['sh'], screen: undefined }, call(stop.signal)))
    stop.abort()
    expect(await textOf(left.output)).toBe('')
    expect(await left.ended).toBeUndefined()
  })
})
