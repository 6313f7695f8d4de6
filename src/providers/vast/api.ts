import * as z from 'zod'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { RestClient } from '../rest/client.ts'
import { readPages, type PagedList } from '../rest/pages.ts'
import type { RefusalText } from '../rest/words.ts'
import { VAST_FAULTS } from './faults.ts'
import type { VastSettings } from './settings.ts'

const number = z.number()
const maybe = z.number().nullish()

const ask = z.object({
  id: z.int(),
  gpu_name: z.string(),
  num_gpus: z.int().min(0),
  gpu_ram: number,
  dph_total: number.min(0),
  min_bid: maybe,
  geolocation: z.string().nullish(),
  reliability2: maybe,
  driver_version: z.string().nullish(),
  cuda_max_good: maybe,
  bw_nvlink: maybe,
  cpu_cores_effective: maybe,
  cpu_ram: maybe,
  cpu_arch: z.string().nullish(),
  gpu_frac: maybe,
  disk_space: maybe,
  inet_up_cost: maybe,
  direct_port_count: maybe,
  rentable: z.boolean().nullish(),
})

/** What a host asks for its machine. */
export type VastAsk = z.infer<typeof ask>

const instance = z.object({
  id: z.int(),
  label: z.string().nullish(),
  actual_status: z.string().nullish(),
  cur_state: z.string().nullish(),
  next_state: z.string().nullish(),
  intended_status: z.string().nullish(),
  status_msg: z.string().nullish(),
  extra_env: z.array(z.array(z.string())).nullish(),
  public_ipaddr: z.string().nullish(),
  ports: z.record(z.string(), z.array(z.object({ HostPort: z.string() }))).nullish(),
  dph_total: maybe,
  is_bid: z.boolean().nullish(),
})

export type VastInstance = z.infer<typeof instance>

/** What a contract is made with. */
export interface VastOrder {
  readonly image: string
  readonly label: string
  readonly disk: number
  readonly runtype: 'args'
  readonly target_state: 'running'
  readonly cancel_unavail: boolean
  readonly env: string
  readonly args?: readonly string[]
  readonly price?: number
}

const V0 = ['api', 'v0'] as const
const PAGE = 25

/** So many lines of a log are asked for. */
const LINES_MOST = 5000

/** The calls of Vast's API that Berth makes, with what their replies must be. */
export class VastApi {
  readonly #rest: RestClient

  constructor(
    { endpoint, isInternal }: VastSettings,
    { credential, network }: Pick<ProviderDeps, 'credential' | 'network'>,
  ) {
    this.#rest = new RestClient({
      base: endpoint,
      credential,
      authorize: (key) => ({ authorization: `Bearer ${key}` }),
      faults: VAST_FAULTS,
      isInternal,
      network,
    })
  }

  async asks(body: Readonly<Record<string, unknown>>, call: Call): Promise<Answer<readonly (VastAsk | undefined)[]>> {
    const reply = z.object({ offers: z.array(z.unknown()) })
    const answer = await this.#rest.call({ method: 'POST', path: [...V0, 'bundles'], body, reply }, call)
    if (!answer.ok) return answer
    return { ok: true, value: answer.value.offers.map((each) => ask.safeParse(each).data) }
  }

  /** The number of the contract. */
  async rent(id: number, body: VastOrder, call: Call): Promise<Answer<string>> {
    const reply = z.object({ success: z.literal(true), new_contract: z.int() })
    const answer = await this.#rest.call(
      { method: 'PUT', path: [...V0, 'asks', `${id}`], body, reply, creates: true },
      call,
    )
    return answer.ok ? { ok: true, value: String(answer.value.new_contract) } : answer
  }

  /** All of them, or only those that a filter lets through. */
  instances(call: Call, filter?: Readonly<Record<string, unknown>>): Promise<Answer<PagedList<unknown>>> {
    const reply = z.object({ instances: z.array(z.unknown()), next_token: z.string().nullish() })
    const filters = filter === undefined ? undefined : JSON.stringify(filter)
    return readPages(async (cursor) => {
      const query = { limit: PAGE, after_token: cursor, select_filters: filters }
      const answer = await this.#rest.call({ method: 'GET', path: ['api', 'v1', 'instances'], query, reply }, call)
      if (!answer.ok) return answer
      return { ok: true, value: { items: answer.value.instances, next: answer.value.next_token ?? undefined } }
    })
  }

  /** Where the log will lie in a moment; undefined: there is no such instance. */
  async logAddress(id: string, call: Call): Promise<Answer<string | undefined>> {
    const path = [...V0, 'instances', 'request_logs', id]
    const reply = z.object({ result_url: z.string() }).optional()
    const body = { tail: `${LINES_MOST}` }
    const answer = await this.#rest.call({ method: 'PUT', path, body, reply, isAbsent: isNoLog }, call)
    return answer.ok ? { ok: true, value: answer.value?.result_url } : answer
  }

  remove(id: string, call: Call): Promise<Answer<unknown>> {
    const path = [...V0, 'instances', id]
    const reply = z.object({ success: z.literal(true) }).optional()
    return this.#rest.call({ method: 'DELETE', path, reply, isAbsent }, call)
  }
}

/** There is no such instance, in the words of this call. */
function isNoLog(said: RefusalText, status: number): boolean {
  return isAbsent(said) || (status === 404 && said.code === 'invalid_id')
}

/** A wrong key is refused with a 404, too. */
function isAbsent({ code, text }: RefusalText): boolean {
  if (/key|auth/i.test(text)) return false
  return code === 'no_such_instance' || code === 'not_found' || /no_such_instance|instance not found/i.test(text)
}

/** Undefined: it is not in the form of one. */
export function readInstance(value: unknown): VastInstance | undefined {
  return instance.safeParse(value).data
}

/** What is left of an entry that is no instance: its number and its label, if it has them. */
export function readLabelled(value: unknown): { readonly id: string; readonly name: string } {
  const read = z.object({ id: z.int().catch(0), label: z.string().catch('') }).safeParse(value).data
  return { id: String(read?.id ?? ''), name: read?.label ?? '' }
}
