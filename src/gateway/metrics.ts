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
  const { connections, refusals } = gateway
  const counted = [...refusals].map(([status, count]): Row => [`status="${status}"`, count])
  const own = figure('connections gauge', [['', connections]]) + figure('refusals_total counter', counted)
  return `${own}${serviceFigures(gateway)}${replicaFigures(gateway)}`
}

function labelsOf({ route: { project, name } }: Service): string {
  return `project="${project}",service="${name}"`
}

const OF_SERVICE: readonly (readonly [about: string, read: (service: Service) => number])[] = [
  ['requests_total counter', ({ requests }) => requests],
  ['failed_total counter', ({ failed }) => failed],
  ['retries_total counter', ({ retries }) => retries],
  ['hedges_total counter', ({ hedged }) => hedged],
  ['hedges_won_total counter', ({ hedgesWon }) => hedgesWon],
  ['waiting gauge', ({ waiting }) => waiting],
]

function serviceFigures({ services }: Gateway): string {
  const all = [...services.values()]
  return OF_SERVICE.map(([about, read]) =>
    figure(
      about,
      all.map((service) => [labelsOf(service), read(service)]),
    ),
  ).join('')
}

const OF_REPLICA: readonly (readonly [about: string, read: (backend: Backend, service: Service) => number])[] = [
  ['replica_requests_total counter', ({ requests }) => requests],
  ['replica_errors_total counter', ({ errors }) => errors],
  ['replica_load gauge', ({ load }) => load],
  ['replica_connections gauge', ({ connections }) => connections],
  ['replica_usable gauge', (backend, { usable }) => (usable.includes(backend) ? 1 : 0)],
]

function replicaFigures({ services }: Gateway): string {
  const all = [...services.values()].flatMap((service) =>
    service.backends.map((backend) => {
      const { id, provider } = backend.route
      return { service, backend, labels: `${labelsOf(service)},replica="${id}",provider="${provider}"` }
    }),
  )
  return OF_REPLICA.map(([about, read]) =>
    figure(
      about,
      all.map(({ service, backend, labels }) => [labels, read(backend, service)]),
    ),
  ).join('')
}

/** `about`: its name and kind. */
function figure(about: string, rows: readonly Row[]): string {
  const [name = ''] = about.split(' ')
  const lines = rows.map(([labels, value]) => `berth_gateway_${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`)
  return `# TYPE berth_gateway_${about}\n${lines.join('')}`
}
