import { createServer, type Server } from 'node:http'
import type { Backend } from './backend.ts'
import type { Gateway } from './gateway.ts'
import type { Service } from './service.ts'

const AGAIN_MS = 500

/**
 * Serves figures for Prometheus at this address; undefined: nowhere. A successor waits until its predecessor has left the address:
 * nobody loses a request over that.
 */
export function serveMetrics(
  address: string | undefined,
  gateway: Gateway,
  { isSuccessor }: { readonly isSuccessor: boolean },
): Promise<Server | undefined> {
  const [, host, port] = /^(.*):(\d{1,5})$/.exec(address ?? '') ?? []
  if (host === undefined) return Promise.resolve(undefined)
  const server = createServer((request, response) => {
    const isThere = request.url === '/metrics' || request.url === '/healthz'
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' })
    response.end(request.url === '/metrics' ? metricsText(gateway) : isThere ? 'ok\n' : 'see /metrics\n')
  })
  const listen = (): unknown => server.listen(Number(port), host.replace(/^\[|\]$/g, '') || '127.0.0.1')
  return new Promise((resolve, reject) => {
    server.on('error', (error) => (isSuccessor ? void setTimeout(listen, AGAIN_MS).unref() : reject(error)))
    server.on('listening', () => resolve(server))
    if (isSuccessor) resolve(server)
    listen()
  })
}

type Row = readonly [labels: string, value: number]

/** Every figure in the text format of Prometheus. Names of services are labels of DNS, so nothing needs escaping. */
export function metricsText(gateway: Gateway): string {
  const { services, connections, refusals } = gateway
  const all = [...services.values()].map((service) => {
    return { service, labels: `project="${service.route.project}",service="${service.route.name}"` }
  })
  const replicas = all.flatMap(({ service, labels }) =>
    service.backends.map((backend) => {
      const { id, provider } = backend.route
      const isUsable = service.usable.includes(backend)
      return { backend, isUsable, labels: `${labels},replica="${id}",provider="${provider}"` }
    }),
  )
  const ofAll = (read: (one: Service) => number) => all.map(({ service, labels }): Row => [labels, read(service)])
  const ofEach = (read: (one: Backend) => number) => replicas.map(({ backend, labels }): Row => [labels, read(backend)])
  return [
    figure('connections gauge', [['', connections]]),
    figure(
      'refusals_total counter',
      [...refusals].map(([status, count]): Row => [`status="${status}"`, count]),
    ),
    figure(
      'requests_total counter',
      ofAll(({ requests }) => requests),
    ),
    figure(
      'failed_total counter',
      ofAll(({ failed }) => failed),
    ),
    figure(
      'retries_total counter',
      ofAll(({ retries }) => retries),
    ),
    figure(
      'waiting gauge',
      ofAll(({ waiting }) => waiting),
    ),
    figure(
      'replica_requests_total counter',
      ofEach(({ requests }) => requests),
    ),
    figure(
      'replica_errors_total counter',
      ofEach(({ errors }) => errors),
    ),
    figure(
      'replica_load gauge',
      ofEach(({ load }) => load),
    ),
    figure(
      'replica_connections gauge',
      ofEach((backend) => backend.connections),
    ),
    figure(
      'replica_usable gauge',
      replicas.map(({ labels, isUsable }): Row => [labels, isUsable ? 1 : 0]),
    ),
  ].join('')
}

/** `about`: its name and kind. */
function figure(about: string, rows: readonly Row[]): string {
  const [name = ''] = about.split(' ')
  const lines = rows.map(([labels, value]) => `berth_gateway_${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`)
  return `# TYPE berth_gateway_${about}\n${lines.join('')}`
}
