/** Which service a request is for, and what it asks of it. */
export interface RouteTarget {
  readonly key: string
  /** The path and query that the service sees. */
  readonly path: string
  /** What was taken off the front of the path; empty: nothing. */
  readonly prefix: string
}

const LABEL = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const HOST = /^([a-z][a-z0-9-]*)\.([a-z][a-z0-9-]*)(?:\.|$)/
const PATH = /^\/([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)(?=[/?]|$)/

/**
 * Finds the service in the host, `NAME.PROJECT.…`, or else in the path, `/PROJECT/NAME/…`. `isKnown` says whether there is
 * such a service; a host that names none is no reason to give up, because the gateway itself has a name, too.
 */
export function targetOf(host: string, path: string, isKnown: (key: string) => boolean): RouteTarget | undefined {
  const [, name, project] = HOST.exec(host) ?? []
  if (name !== undefined && project !== undefined && isKnown(`${project}/${name}`)) {
    return { key: `${project}/${name}`, path, prefix: '' }
  }
  const found = PATH.exec(path)
  const [prefix = '', first = '', second = ''] = found ?? []
  if (found === null || !LABEL.test(first) || !LABEL.test(second) || !isKnown(`${first}/${second}`)) return undefined
  const rest = path.slice(prefix.length)
  return { key: `${first}/${second}`, path: rest.startsWith('/') ? rest : `/${rest}`, prefix }
}

/** Where a service answers, by the address of a gateway: `http://HOST:PORT`, or `https://*.example.com` for one host each. */
export function endpointOf(
  gateway: string,
  { project, name }: { readonly project: string; readonly name: string },
): string {
  return gateway.includes('://*.')
    ? `${gateway.replace('://*.', `://${name}.${project}.`).replace(/\/+$/, '')}/`
    : `${gateway.replace(/\/+$/, '')}/${project}/${name}/`
}
