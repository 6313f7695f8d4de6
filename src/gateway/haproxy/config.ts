import type { ServiceSeat } from './seats.ts'

/** What a configuration of HAProxy needs beside the seats. */
export interface Rendering {
  readonly listen: string
  /** Where HAProxy is spoken to. */
  readonly socket: string
  /** Which service has which backend. */
  readonly map: string
}

export function backendName(seat: number): string {
  return `berth${seat}`
}

export function serverName(seat: number): string {
  return `s${seat}`
}

/** Both ways in which a service is asked for: in the path, and in the host. */
export function mapKeys(key: string): readonly string[] {
  const [project = '', name = ''] = key.split('/')
  return [key, `${name}.${project}`]
}

/** The file that HAProxy looks services up in. */
export function renderMap(seats: readonly ServiceSeat[]): string {
  return seats
    .flatMap(({ key }, seat) => (key === undefined ? [] : mapKeys(key).map((each) => `${each} ${backendName(seat)}\n`)))
    .join('')
}

/** A whole configuration: what HAProxy starts with, so that its own restart begins with the last known routes. */
export function renderConfig(seats: readonly ServiceSeat[], { listen, socket, map }: Rendering): string {
  return `# Written by \`berth gateway haproxy\`, and written again when routes change. Put what is your own into another file:
# haproxy -f your.cfg -f berth.cfg
global
  stats socket ${socket} mode 600 level admin

defaults berth
  mode http
  balance leastconn
  option forwardfor
  option redispatch 1
  option splice-auto
  retries 3
  retry-on conn-failure empty-response 0rtt-rejected
  timeout connect 2s
  timeout queue 15s
  timeout client 75s
  timeout http-request 10s
  timeout server 600s
  timeout tunnel 1h
  default-server check inter 1s fastinter 250ms fall 2 rise 1 slowstart 10s observe layer4 error-limit 3 on-error mark-down

frontend berth from berth
  bind ${listen}
  acl is_safe method GET HEAD OPTIONS PUT DELETE
  acl is_safe req.hdr(idempotency-key) -m found
  acl is_safe req.hdr(berth-retry) -m str safe
  http-request disable-l7-retry if !is_safe || { req.hdr(berth-retry) -m str never }
  unique-id-format %{+X}o%Ts%pid%rt
  http-request set-header X-Request-Id %[unique-id] unless { req.hdr(x-request-id) -m found }
  http-request set-header X-Forwarded-Proto http unless { ssl_fc }
  http-request set-header X-Forwarded-Proto https if { ssl_fc }
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  http-request del-header X-Forwarded-Prefix
  http-request set-var(txn.backend) req.hdr(host),lower,field(1,:),field(1,.,2),map_str(${map})
  acl by_host var(txn.backend) -m found
  http-request set-var(txn.prefix) path,field(2,/,2) unless by_host
  http-request set-var(txn.backend) var(txn.prefix),map_str(${map}) unless by_host
  http-request set-header X-Forwarded-Prefix /%[var(txn.prefix)] if { var(txn.prefix) -m found } by_host
  http-request replace-path /[^/]+/[^/]+/?(.*) /\\1 if { var(txn.prefix) -m found } by_host
  http-request return status 404 content-type text/plain string "no such service here" unless by_host
  use_backend %[var(txn.backend)]

${seats.map(renderBackend).join('\n')}`
}

function renderBackend({ key, servers }: ServiceSeat, seat: number): string {
  const lines = servers.map(({ state, host, port }, at) => {
    const isUsed = state === 'ready' && host !== undefined
    // Of a fresh process nothing is under way, so that there is nothing to drain.
    return `  server ${serverName(at)} ${isUsed ? `${host}:${port}` : '192.0.2.1:9 disabled'}\n`
  })
  return `backend ${backendName(seat)} from berth${key === undefined ? '' : ` # ${key}`}\n${lines.join('')}`
}
