import type * as z from 'zod'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Answer, Call } from '../../ports/provider.ts'
import type { Clock } from '../../ports/clock.ts'
import { Broken, type Incoming, type Network, type Outgoing } from '../../ports/network.ts'
import type { Timers } from '../../ports/timers.ts'
import type { Secret } from '../../ports/secret.ts'
import { exchange } from './exchange.ts'
import { nodeNetwork } from './network.ts'
import { bodyOf, replyFault, type ApiFaults } from './fault-table.ts'
import { usualWords, type RefusalText } from './words.ts'

/** How a cloud's API is called. */
export interface RestApi {
  /** `https://api.example.com/v1` */
  readonly base: string
  /** Read again for each call, so that a change takes effect. */
  readonly credential: () => Promise<Secret | undefined>
  /** The headers that carry the credential. */
  readonly authorize: (credential: string) => Readonly<Record<string, string>>
  readonly faults: ApiFaults
  /** On premises: private addresses are called, without TLS if need be. */
  readonly isInternal?: boolean
  /** Left out: that of this host. */
  readonly network?: Network | undefined
  readonly deadlineMs?: number
  readonly bytesMost?: number
  /** At least this long between two requests: one call of a provider may be several of them, which the gate does not see. */
  readonly pace?: RestPace
}

interface RestPace {
  readonly eachMs: number
  /** The same between two requests that create something; left out: they have no limit of their own. */
  readonly createEachMs?: number
  readonly clock: Pick<Clock, 'tickMs'>
  readonly timers: Timers
}

export interface RestCall<T> {
  readonly method: Outgoing['method']
  /** Each part is escaped: `['pods', id]`. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The reply is text, and a stream that may never end: it is read until nothing comes for so long. */
  readonly quietMs?: number
  /** What the reply must be. */
  readonly reply: z.ZodType<T>
  /** After a call without an answer, something may exist. */
  readonly creates?: boolean
  /** A refusal with these words means that there is no such thing, which is an answer: the value is undefined. */
  readonly isAbsent?: (said: RefusalText, status: number) => boolean
}

const DEADLINE_MS = 25_000
const BYTES_MOST = 8 * 1024 * 1024

/**
 * The one way to call the API of a cloud. Every call ends in time with a checked reply or a fault. It does not retry, and no
 * fault repeats the credential.
 */
export class RestClient {
  readonly #api: RestApi
  #nextMs = 0
  #nextCreateMs = 0

  constructor(api: RestApi) {
    this.#api = api
  }

  async call<T>(request: RestCall<T>, { signal, requestId }: Pick<Call, 'signal' | 'requestId'>): Promise<Answer<T>> {
    const { deadlineMs = DEADLINE_MS, bytesMost = BYTES_MOST, isInternal, network = nodeNetwork } = this.#api
    await this.#turn(request.creates === true, signal)
    if (signal.aborted) return { ok: false, fault: this.#fault(request, 'given up before it was sent', false) }
    const secret = (await this.#api.credential())?.reveal()
    const reach = isInternal === true ? 'any' : 'public'
    try {
      const incoming = await exchange(network, this.#outgoing(request, secret, requestId), {
        signal,
        deadlineMs,
        bytesMost,
        reach,
        ...(request.quietMs !== undefined && { quietMs: request.quietMs }),
      })
      return hidden(this.#read(request, incoming), secret)
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      return hidden({ ok: false, fault: this.#fault(request, error.message, error.wasSent) }, secret)
    }
  }

  /** Requests take turns. What creates something waits for its own turn first, because others may go meanwhile. */
  async #turn(creates: boolean, signal: AbortSignal): Promise<void> {
    const { pace } = this.#api
    if (pace === undefined) return
    const { eachMs, createEachMs = 0, clock, timers } = pace
    const until = async (atMs: number): Promise<void> => {
      const leftMs = atMs - clock.tickMs()
      if (leftMs > 0) await timers.sleep(leftMs, signal)
    }
    if (creates) {
      const atMs = Math.max(clock.tickMs(), this.#nextCreateMs)
      this.#nextCreateMs = atMs + createEachMs
      await until(atMs)
    }
    const atMs = Math.max(clock.tickMs(), this.#nextMs)
    this.#nextMs = atMs + eachMs
    await until(atMs)
    // The limit counts from when it is sent.
    if (creates) this.#nextCreateMs = Math.max(this.#nextCreateMs, clock.tickMs() + createEachMs)
  }

  #outgoing<T>(
    { method, path, query, body, headers: more }: RestCall<T>,
    secret: string | undefined,
    requestId: string,
  ): Outgoing {
    const url = new URL(`${this.#api.base.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'berth',
      'x-request-id': requestId,
      ...more,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(secret !== undefined && this.#api.authorize(secret)),
    }
    return { method, url, headers, body: body === undefined ? undefined : JSON.stringify(body) }
  }

  #read<T>(request: RestCall<T>, incoming: Incoming): Answer<T> {
    const { faults } = this.#api
    const { status, text } = incoming
    const body = bodyOf(incoming)
    const isGood = status >= 200 && status < 300
    if (!isGood || (body !== undefined && faults.isRefusal?.(body.value) === true)) {
      const said = body === undefined ? undefined : (faults.said ?? usualWords)(body.value)
      // Proven: a call that says how absence is told takes undefined for an answer.
      if (said !== undefined && request.isAbsent?.(said, status) === true) return { ok: true, value: undefined as T }
      return { ok: false, fault: replyFault(incoming, faults, { creates: request.creates === true }) }
    }
    if (request.quietMs !== undefined) {
      const streamed = request.reply.safeParse(text)
      if (streamed.success) return { ok: true, value: streamed.data }
    }
    // A reply without content is a reply: `204` after a delete.
    if (body === undefined && text !== '')
      return { ok: false, fault: this.#fault(request, 'its reply is not JSON', true) }
    const read = request.reply.safeParse(body?.value)
    if (read.success) return { ok: true, value: read.data }
    const [issue] = read.error.issues
    const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    const why = `its reply could not be understood: ${at}${issue?.message ?? ''}`
    return { ok: false, fault: this.#fault(request, why, true) }
  }

  #fault({ creates = false, path }: RestCall<unknown>, why: string, wasSent: boolean): Fault {
    const message = `${path[0] ?? ''}: ${why}`.slice(0, 500)
    return { class: creates && wasSent ? 'AMBIGUOUS' : 'TRANSIENT', message }
  }
}

/** The answer without the credential, in whatever form the other side may repeat it. */
function hidden<T>(answer: Answer<T>, secret: string | undefined): Answer<T> {
  if (answer.ok || secret === undefined || secret === '') return answer
  const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]
  const message = forms.reduce((text, form) => text.replaceAll(form, '***'), answer.fault.message)
  return { ok: false, fault: { ...answer.fault, message } }
}
