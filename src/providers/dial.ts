import { connect, isIP, type Socket } from 'node:net'
import type { PortAddress } from '../core/life/call/address.ts'
import type { Answer, Call, Described, DialledPort, Pipe } from '../ports/provider.ts'
import { written } from '../ports/room.ts'
import { isPrivateAddress, NOT_PUBLIC, publicLookup } from './rest/address-guard.ts'

const CONNECT_MS = 10_000

interface DialAsk {
  readonly described: Answer<Described>
  readonly port: DialledPort
  /** Whether an address in a private network may be called. */
  readonly reach: 'public' | 'any'
}

/** Connects to a port at the address that is described for it. */
export async function dialDescribed({ described, port, reach }: DialAsk, call: Call): Promise<Answer<Pipe>> {
  if (!described.ok) return described
  const { value } = described
  const address = 'ports' in value && port.name !== undefined ? value.ports?.[port.name] : undefined
  if (value.state !== 'up') return fault('TRANSIENT', 'It is not running.')
  if (port.name === undefined) return fault('BAD_REQUEST', `The manifest has no port ${port.port}.`)
  if (address === undefined) return fault('BAD_REQUEST', `The provider tells no address for port ${port.port}.`)
  const { host } = address
  if (address.tls)
    return fault('BAD_REQUEST', `Port ${port.port} is offered over TLS: call https://${host}:${address.port} instead.`)
  if (reach === 'public' && isIP(host) !== 0 && isPrivateAddress(host))
    return fault('BAD_REQUEST', `${host} ${NOT_PUBLIC}.`)
  return dialAddress(address, reach, call)
}

function dialAddress({ host, port }: PortAddress, reach: DialAsk['reach'], { signal }: Call): Promise<Answer<Pipe>> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true, ...(reach === 'public' && { lookup: publicLookup }) })
    const failed = (why: string): void => {
      socket.destroy()
      resolve(fault('TRANSIENT', `Nothing answers at ${host}:${port} (${why}).`))
    }
    socket.setTimeout(CONNECT_MS, () => failed('no answer'))
    socket.once('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message))
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.setNoDelay(true)
      resolve({ ok: true, value: pipeOf(socket) })
    })
  })
}

function pipeOf(socket: Socket): Pipe {
  socket.on('error', () => undefined)
  return {
    output: socket,
    write: (bytes) => written(socket, bytes),
    end: () => void socket.end(),
  }
}

function fault(name: 'BAD_REQUEST' | 'TRANSIENT', message: string): Extract<Answer<never>, { readonly ok: false }> {
  return { ok: false, fault: { class: name, message } }
}
