import { AsyncLocalStorage } from 'node:async_hooks'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { Broken, type Incoming, type Network } from '../../ports/network.ts'
import { exchange } from '../rest/exchange.ts'
import { nodeNetwork } from '../rest/network.ts'
import { awsFault } from './faults.ts'
import { awsCredential, type AwsKey, type AwsSettings } from './settings.ts'

/** One request as the SDK has signed it. */
interface SignedRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What is asked of AWS. */
export interface AwsCall<T> {
  /** `CreateFleet`, as the reply repeats it. */
  readonly name: string
  readonly send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>
  /** After a call without an answer, a machine may exist. */
  readonly creates?: boolean
  /** Refusals that are an answer: there is no such thing. */
  readonly isAbsent?: (text: string) => boolean
}

const DEADLINE_MS = 25_000
const BYTES_MOST = 32 * 1024 * 1024

/** A reply in the making, so that what AWS really said is judged and not what the SDK makes of it. */
interface Seen {
  incoming?: Incoming
  /** It was given to the network: from here on nobody can tell how much of it arrived, whatever the SDK throws. */
  wasSent?: boolean
}

/**
 * The one way to AWS. The SDK signs, writes and reads; the request itself goes the way of all other clouds, with its limits and
 * without redirects, and refusals are judged by the same table as `berth provider classify`. Nothing is repeated here.
 */
export class AwsClient {
  readonly #settings: Pick<AwsSettings, 'endpoint' | 'isInternal' | 'profile'>
  readonly #credential: ProviderDeps['credential']
  readonly #network: Network
  readonly #seen = new AsyncLocalStorage<Seen>()

  constructor(
    settings: Pick<AwsSettings, 'endpoint' | 'isInternal' | 'profile'>,
    { credential, network = nodeNetwork }: Pick<ProviderDeps, 'credential' | 'network'>,
  ) {
    this.#settings = settings
    this.#credential = credential
    this.#network = network
  }

  /** How a client of the SDK is made. */
  configFor(region: string) {
    const { endpoint, profile } = this.#settings
    return {
      region,
      maxAttempts: 1,
      ...(endpoint !== undefined && { endpoint }),
      ...(profile !== undefined && { profile }),
      requestHandler: {
        handle: (request: SignedRequest, options?: { readonly abortSignal?: unknown }) =>
          this.#handle(request, options),
      },
    }
  }

  /** The key that was given to Berth, read again for each call; undefined: the host's own is used. */
  async key(): Promise<AwsKey | undefined> {
    const secret = await this.#credential()
    return secret === undefined ? undefined : awsCredential.parse(secret.reveal())
  }

  async call<T>(request: AwsCall<T>, { signal }: Pick<Call, 'signal'>): Promise<Answer<T | undefined>> {
    const { name, creates = false } = request
    if (signal.aborted)
      return { ok: false, fault: { class: 'TRANSIENT', message: `${name}: given up before it was sent` } }
    const seen: Seen = {}
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
    try {
      const value = await this.#seen.run(seen, () => request.send({ abortSignal }))
      const { incoming } = seen
      if (incoming !== undefined && isWhole(name, incoming)) return { ok: true, value }
      return {
        ok: false,
        fault: { class: creates ? 'AMBIGUOUS' : 'TRANSIENT', message: `${name}: its reply could not be understood` },
      }
    } catch (error) {
      const { incoming } = seen
      if (incoming !== undefined && request.isAbsent?.(incoming.text) === true) return { ok: true, value: undefined }
      return { ok: false, fault: await this.#hidden(faultAfter(error, { name, creates, seen })) }
    }
  }

  async #handle(request: SignedRequest, options: { readonly abortSignal?: unknown } = {}) {
    const { isInternal } = this.#settings
    const signal = options.abortSignal instanceof AbortSignal ? options.abortSignal : AbortSignal.timeout(DEADLINE_MS)
    const { body } = request
    const seen = this.#seen.getStore()
    if (seen !== undefined) seen.wasSent = true
    const incoming = await exchange(
      this.#network,
      {
        method: 'POST',
        url: urlOf(request),
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body: body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? ''),
      },
      { signal, deadlineMs: DEADLINE_MS, bytesMost: BYTES_MOST, reach: isInternal ? 'any' : 'public' },
    )
    if (seen !== undefined) seen.incoming = incoming
    const { status, headers, text } = incoming
    return { response: { statusCode: status, headers: { ...headers }, body: Buffer.from(text) } }
  }

  /** Without the key, in whatever form the other side may repeat it. */
  async #hidden(fault: Fault): Promise<Fault> {
    const key = await this.key().catch(() => undefined)
    const forms = key === undefined ? [] : [key.secretAccessKey, key.accessKeyId, key.sessionToken ?? '']
    const message = forms
      .filter((form) => form !== '')
      .reduce((text, form) => text.replaceAll(form, '***').replaceAll(encodeURIComponent(form), '***'), fault.message)
    return { ...fault, message: message.slice(0, 500) }
  }
}

function faultAfter(
  error: unknown,
  { name, creates, seen }: { readonly name: string; readonly creates: boolean; readonly seen: Seen },
): Fault {
  const { incoming, wasSent = false } = seen
  const why = error instanceof Error ? error.message : String(error)
  if (incoming !== undefined) return awsFault(incoming, { creates })
  const mayExist = creates && (error instanceof Broken ? error.wasSent : wasSent)
  if (mayExist) return { class: 'AMBIGUOUS', message: `${name}: ${why}` }
  // Nothing was sent: there is no key, or it cannot be read.
  const isKey = !wasSent && error instanceof Error && /credential|token|profile|sso/i.test(`${error.name} ${why}`)
  return isKey
    ? {
        class: 'AUTH',
        message: `${name}: ${why}. Name a credential for the provider, or give the control plane's host a key.`,
      }
    : { class: 'TRANSIENT', message: `${name}: ${why}` }
}

/** A reply of EC2 names its call at both ends; what does not is a page of something else, which the SDK reads as an empty list. */
function isWhole(name: string, { status, headers, text }: Incoming): boolean {
  if (status < 200 || status >= 300) return false
  if (/json/.test(headers['content-type'] ?? '')) return text.trim().startsWith('{')
  return text.includes(`<${name}Response`) && text.trimEnd().endsWith(`</${name}Response>`)
}

function urlOf({ protocol, hostname, port, path, query = {} }: SignedRequest): URL {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`)
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each ?? ''))
  }
  return url
}
