import { request } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Backend, Health } from './backend.ts'

/** A health path that has not answered after this time does not answer. */
const ANSWER_MS = 400
/** One that is far away or slow has this long, as long as nobody waits for it. */
const PATIENT_MS = 2000

/** Asks a replica's health path once. Undefined: it has none. */
export function probe(backend: Backend, isUrgent: boolean): Promise<Health> | undefined {
  const { address, route } = backend
  const { health } = route
  if (health === undefined) return undefined
  const { host, port, tls } = address
  const send = tls ? requestSecure : request
  return new Promise((resolve) => {
    const asking = send({ host, port, path: escaped(health), agent: false, headers: { 'user-agent': 'berth-gateway' } })
    const timer = setTimeout(() => done('silent'), isUrgent ? ANSWER_MS : PATIENT_MS)
    const done = (found: Health): void => {
      clearTimeout(timer)
      asking.destroy()
      resolve(found)
    }
    asking.on('response', ({ statusCode = 0 }) => done(statusCode >= 200 && statusCode < 300 ? 'well' : 'silent'))
    asking.on('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED' ? 'dead' : 'silent'))
    asking.end()
  })
}

/** Manifests write a path as people do, HTTP in ASCII alone. */
function escaped(path: string): string {
  return path.toWellFormed().replaceAll(/[^\u0021-\u007e]/gu, encodeURIComponent)
}
