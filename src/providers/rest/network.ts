import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { Broken, type Bounds, type Incoming, type Network, type Outgoing } from '../../ports/network.ts'
import { isPrivateAddress, NOT_PUBLIC, publicLookup } from './address-guard.ts'
import { soFar, wholeOf } from './whole.ts'

/** The network of this host. Names are checked when they are resolved, addresses before they are called. */
export const nodeNetwork: Network = { send }

function send({ method, url, headers, body }: Outgoing, bounds: Bounds): Promise<Incoming> {
  const { deadlineMs, reach } = bounds
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (reach === 'public' && isIP(host) !== 0 && isPrivateAddress(host))
    return Promise.reject(new Broken(`${host} ${NOT_PUBLIC}`, false))
  const late = AbortSignal.timeout(deadlineMs)
  const signal = bounds.signal === undefined ? late : AbortSignal.any([bounds.signal, late])
  const options: RequestOptions = {
    method,
    signal,
    agent: false,
    headers: { ...headers, ...(body !== undefined && { 'content-length': `${Buffer.byteLength(body)}` }) },
    ...(reach === 'public' && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    let wasSent = false
    const fail = (error: unknown): void => {
      const message = signal.aborted ? 'no answer in time' : error instanceof Error ? error.message : String(error)
      reject(new Broken(message, wasSent))
    }
    const request = url.protocol === 'https:' ? secureRequest(url, options) : plainRequest(url, options)
    // From here on nobody can tell how much of it arrived.
    request.once('socket', (socket) => {
      const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect'
      socket.once(connected, () => (wasSent = true))
    })
    request.once('error', fail)
    request.once('response', (response) => {
      read(response, bounds).then((text) => {
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text })
      }, fail)
    })
    request.end(body)
  })
}

async function read(response: IncomingMessage, { bytesMost, quietMs }: Bounds): Promise<string> {
  if (bytesMost === 0) {
    response.destroy()
    return ''
  }
  if (quietMs !== undefined) return soFar(response, { bytesMost, quietMs })
  return wholeOf(response, bytesMost)
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const texts = Object.entries(headers).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const]
  })
  return Object.fromEntries(texts)
}
