import { Broken, type Bounds, type Incoming, type Network, type Outgoing } from '../../ports/network.ts'

const REDIRECTS_MOST = 3

/**
 * One request to an API and its whole reply. Redirects are followed for reads only, and only to the same origin. An API on the
 * public internet is called with TLS.
 */
export async function exchange(network: Network, outgoing: Outgoing, bounds: Bounds): Promise<Incoming> {
  let at = outgoing
  for (let hops = 0; hops <= REDIRECTS_MOST; hops++) {
    if (bounds.reach === 'public' && at.url.protocol !== 'https:')
      throw new Broken(`${at.url.protocol}// is not used; the address must begin with https://`, false)
    const incoming = await network.send(at, bounds)
    const { location } = incoming.headers
    if (incoming.status < 300 || incoming.status >= 400 || location === undefined) return incoming
    const url = URL.parse(location, at.url.href)
    if (at.method !== 'GET' || url?.origin !== at.url.origin)
      throw new Broken(`it answered with a redirect to ${url?.host ?? 'nowhere'}, which is not followed`, true)
    at = { ...at, url }
  }
  throw new Broken(`it answered with more than ${REDIRECTS_MOST} redirects`, true)
}
