import * as z from 'zod'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { RestClient } from '../rest/client.ts'
import type { RefusalText } from '../rest/words.ts'
import { RUNPOD_FAULTS } from './faults.ts'
import type { RunpodCloud, RunpodSettings } from './settings.ts'

const level = z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH']).catch('NONE')
const usd = z.number().min(0)

const gpuType = z.object({
  id: z.string().min(1),
  name: z.string(),
  memory: z.number().min(0),
  price: z.object({ secure: usd, community: usd }),
  maxCount: z.object({ secure: z.number(), community: z.number() }),
  availability: level.optional(),
  dataCenters: z.array(z.object({ id: z.string().min(1), availability: level })).optional(),
  cudaVersions: z.array(z.object({ version: z.string(), available: z.boolean() })).optional(),
})

/** A type of card, as the catalogue has it. */
export type RunpodGpu = z.infer<typeof gpuType>

const pod = z.object({
  id: z.string().min(1),
  name: z.string(),
  status: z.string(),
  env: z.record(z.string(), z.string()),
  cost: usd,
  runtime: z
    .object({
      ports: z
        .array(
          z.object({
            private: z.number(),
            public: z.number().nullish(),
            type: z.string().optional(),
            ip: z.string().nullish(),
          }),
        )
        .optional(),
    })
    .nullish(),
  startedAt: z.string().nullish(),
})

export type RunpodPod = z.infer<typeof pod>

/** What a pod is ordered with. */
export interface RunpodOrder {
  readonly name: string
  readonly image: string
  readonly args?: string
  readonly disk: number
  readonly env: Readonly<Record<string, string>>
  readonly ports: readonly string[]
  readonly registry?: string
  readonly gpu: { readonly id: string; readonly count: number }
  readonly cloud: RunpodCloud
  readonly dataCenterIds?: readonly string[]
}

/** No more are kept for readers. */
const LINES_MOST = 5000

/** The calls of RunPod's API that Berth makes, with what their replies must be. */
export class RunpodApi {
  readonly #rest: RestClient

  constructor(
    { endpoint, isInternal }: RunpodSettings,
    { credential, network }: Pick<ProviderDeps, 'credential' | 'network'>,
  ) {
    this.#rest = new RestClient({
      base: endpoint,
      credential,
      authorize: (key) => ({ authorization: `Bearer ${key}` }),
      faults: RUNPOD_FAULTS,
      isInternal,
      network,
    })
  }

  /** Types of cards with their stock in one of the clouds, for pods of so many cards. */
  async gpus(cloud: RunpodCloud, count: number, call: Call): Promise<Answer<readonly unknown[]>> {
    const query = { include: 'AVAILABILITY', product: 'POD', cloud, count }
    const reply = z.object({ gpus: z.array(z.unknown()) })
    const answer = await this.#rest.call({ method: 'GET', path: ['v2', 'catalog', 'gpus'], query, reply }, call)
    return answer.ok ? { ok: true, value: answer.value.gpus } : answer
  }

  create(body: RunpodOrder, call: Call): Promise<Answer<RunpodPod>> {
    return this.#rest.call({ method: 'POST', path: ['v2', 'pods'], body, reply: pod, creates: true }, call)
  }

  async pods(call: Call): Promise<Answer<readonly unknown[]>> {
    const reply = z.object({ pods: z.array(z.unknown()) })
    const answer = await this.#rest.call({ method: 'GET', path: ['v2', 'pods'], reply }, call)
    return answer.ok ? { ok: true, value: answer.value.pods } : answer
  }

  pod(id: string, call: Call): Promise<Answer<RunpodPod | undefined>> {
    return this.#rest.call({ method: 'GET', path: ['v2', 'pods', id], reply: pod.optional(), isAbsent }, call)
  }

  /** The last lines as server-sent events, or those from an event or a moment on; undefined: there is no such pod. */
  logs(
    id: string,
    { after, sinceMs }: { readonly after: string | undefined; readonly sinceMs: number | undefined },
    call: Call,
  ): Promise<Answer<string | undefined>> {
    const since = after === undefined && sinceMs !== undefined ? { since: new Date(sinceMs).toISOString() } : {}
    const query = { source: 'container', tail: LINES_MOST, ...since }
    const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) }
    const path = ['v2', 'pods', id, 'logs']
    return this.#rest.call(
      { method: 'GET', path, query, headers, quietMs: 1500, reply: z.string().optional(), isAbsent },
      call,
    )
  }

  remove(id: string, call: Call): Promise<Answer<unknown>> {
    return this.#rest.call({ method: 'DELETE', path: ['v2', 'pods', id], reply: z.undefined(), isAbsent }, call)
  }
}

function isAbsent({ text }: RefusalText, status: number): boolean {
  return status === 404 && /not found/i.test(text)
}

/** Undefined: it is not in the form of one. */
export function readGpu(value: unknown): RunpodGpu | undefined {
  return gpuType.safeParse(value).data
}

export function readPod(value: unknown): RunpodPod | undefined {
  return pod.safeParse(value).data
}

/** What is left of an entry that is no pod: its id and its name, if it has them. */
export function readStray(value: unknown): { readonly id: string; readonly name: string } {
  const named = z.object({ id: z.string().catch(''), name: z.string().catch('') }).safeParse(value)
  return named.data ?? { id: '', name: '' }
}
