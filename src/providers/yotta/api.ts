import * as z from 'zod'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { RestClient } from '../rest/client.ts'
import type { RefusalText } from '../rest/words.ts'
import { GOOD, YOTTA_FAULTS } from './faults.ts'
import type { YottaSettings } from './settings.ts'

const cardType = z.object({
  gpuType: z.string().min(1),
  regions: z.array(z.object({ region: z.string().min(1), available: z.boolean() })),
})

/** A type of card, and where it can be had. */
export type YottaCard = z.infer<typeof cardType>

const pod = z.object({ id: z.int(), name: z.string(), status: z.string() })

export type YottaPod = z.infer<typeof pod>

/** What a pod is ordered with. */
export interface YottaOrder {
  readonly name: string
  readonly image: string
  readonly gpuType: string
  readonly gpuCount: number
  readonly regions: readonly string[]
  readonly containerVolumeInGb: number
  readonly shmInGb?: number
  readonly environmentVars: readonly { readonly key: string; readonly value: string }[]
  readonly expose: readonly { readonly port: number; readonly protocol: string }[]
  readonly containerRegistryAuthId?: number
  readonly imagePublicType?: 'PRIVATE'
}

/** Every good reply: the code, and what was asked for. */
function good<T extends z.ZodType>(data: T) {
  return z.object({ code: z.literal(GOOD), data })
}

/** The calls of Yotta's API that Berth makes, with what their replies must be. */
export class YottaApi {
  readonly #rest: RestClient

  constructor(
    { endpoint, isInternal }: YottaSettings,
    { credential, network }: Pick<ProviderDeps, 'credential' | 'network'>,
  ) {
    this.#rest = new RestClient({
      base: endpoint,
      credential,
      authorize: (key) => ({ 'x-api-key': key }),
      faults: YOTTA_FAULTS,
      isInternal,
      network,
    })
  }

  async types(call: Call): Promise<Answer<readonly (YottaCard | undefined)[]>> {
    const reply = good(z.array(z.unknown()))
    const answer = await this.#rest.call({ method: 'GET', path: ['v2', 'vms', 'types'], reply }, call)
    if (!answer.ok) return answer
    return { ok: true, value: answer.value.data.map((each) => cardType.safeParse(each).data) }
  }

  async create(body: YottaOrder, call: Call): Promise<Answer<string>> {
    const reply = good(z.object({ id: z.int() }))
    const answer = await this.#rest.call({ method: 'POST', path: ['v2', 'pods'], body, reply, creates: true }, call)
    return answer.ok ? { ok: true, value: String(answer.value.data.id) } : answer
  }

  async pods(call: Call): Promise<Answer<readonly unknown[]>> {
    const reply = good(z.array(z.unknown()))
    const answer = await this.#rest.call({ method: 'GET', path: ['v2', 'pods'], reply }, call)
    return answer.ok ? { ok: true, value: answer.value.data } : answer
  }

  async pod(id: string, call: Call): Promise<Answer<YottaPod | undefined>> {
    const reply = good(pod).optional()
    const answer = await this.#rest.call({ method: 'GET', path: ['v2', 'pods', id], reply, isAbsent }, call)
    return answer.ok ? { ok: true, value: answer.value?.data } : answer
  }

  remove(id: string, call: Call): Promise<Answer<unknown>> {
    const reply = good(z.unknown()).optional()
    return this.#rest.call({ method: 'DELETE', path: ['v2', 'pods', id], reply, isAbsent }, call)
  }
}

/** 13000 is said of a pod that is gone. */
function isAbsent({ code, text }: RefusalText, status: number): boolean {
  return code === '13000' || (status === 404 && /pod.*(?:not found|not exist)/i.test(text))
}

/** Undefined: it is not in the form of one. */
export function readPod(value: unknown): YottaPod | undefined {
  return pod.safeParse(value).data
}

/** What is left of an entry that is no pod: its id and its name, if it has them. */
export function readNamed(value: unknown): { readonly id: string; readonly name: string } {
  const named = z.object({ id: z.int().catch(0), name: z.string().catch('') }).safeParse(value).data
  return { id: String(named?.id ?? ''), name: named?.name ?? '' }
}
