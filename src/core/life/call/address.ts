/** Where a port of a workload can be called. */
export interface PortAddress {
  /** A name, or an IP address without brackets. */
  readonly host: string
  readonly port: number
  /** Callers speak TLS to it. */
  readonly tls: boolean
}

/** As rows and users have it: `10.0.0.1:8000`, `[fd00::1]:8000`, `tls://pod.example.com:443`. */
export function addressText({ host, port, tls }: PortAddress): string {
  return `${tls ? 'tls://' : ''}${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Undefined: it is no address. */
export function readAddress(value: unknown): PortAddress | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { host, port, tls }: Partial<Record<keyof PortAddress, unknown>> = value
  const isHost = typeof host === 'string' && HOST.test(host)
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535
  return isHost && isPort && typeof tls === 'boolean' ? { host, port, tls } : undefined
}

/** What names and IP addresses are made of. */
const HOST = /^[A-Za-z0-9:][A-Za-z0-9.:_-]{0,253}$/
