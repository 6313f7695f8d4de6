import * as z from 'zod'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { RestClient } from '../rest/client.ts'
import type { RefusalText } from '../rest/words.ts'
import { LAMBDA_FAULTS, LAUNCH_EACH_MS } from './faults.ts'
import type { LambdaSettings } from './settings.ts'

const instanceType = z.object({
  name: z.string().min(1),
  description: z.string(),
  gpu_description: z.string(),
  price_cents_per_hour: z.number().min(0),
  specs: z.object({ vcpus: z.number(), memory_gib: z.number(), storage_gib: z.number(), gpus: z.int().min(0) }),
})

const typeItem = z.object({
  instance_type: instanceType,
  regions_with_capacity_available: z.array(z.object({ name: z.string().min(1) })),
})

/** A kind of machine, and where it can be had. */
export type LambdaType = z.infer<typeof typeItem>

const instance = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  ip: z.string().optional(),
  status: z.string(),
  instance_type: z.object({ price_cents_per_hour: z.number().min(0) }),
  tags: z.array(z.object({ key: z.string(), value: z.string() })).default([]),
})

export type LambdaInstance = z.infer<typeof instance>

/** What a machine is ordered with. */
export interface LambdaOrder {
  readonly region_name: string
  readonly instance_type_name: string
  readonly ssh_key_names: readonly string[]
  readonly name: string
  readonly user_data: string
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  readonly firewall_rulesets?: readonly { readonly id: string }[]
}

/** One request a second is published. */
const EACH_MS = 1000

const ROOT = ['api', 'v1'] as const

/** The calls of Lambda's API that Berth makes, with what their replies must be. */
export class LambdaApi {
  readonly #rest: RestClient

  constructor({ endpoint, isInternal }: LambdaSettings, deps: Omit<ProviderDeps, 'folder'>) {
    this.#rest = new RestClient({
      base: endpoint,
      credential: deps.credential,
      authorize: (key) => ({ authorization: `Bearer ${key}` }),
      faults: LAMBDA_FAULTS,
      isInternal,
      network: deps.network,
      pace: { eachMs: EACH_MS, createEachMs: LAUNCH_EACH_MS, clock: deps.clock, timers: deps.timers },
    })
  }

  async types(call: Call): Promise<Answer<readonly (LambdaType | undefined)[]>> {
    const reply = z.object({ data: z.record(z.string(), z.unknown()) })
    const answer = await this.#rest.call({ method: 'GET', path: [...ROOT, 'instance-types'], reply }, call)
    if (!answer.ok) return answer
    return { ok: true, value: Object.values(answer.value.data).map((item) => typeItem.safeParse(item).data) }
  }

  async launch(body: LambdaOrder, call: Call): Promise<Answer<string>> {
    const reply = z.object({ data: z.object({ instance_ids: z.tuple([z.string().min(1)]) }) })
    const path = [...ROOT, 'instance-operations', 'launch']
    const answer = await this.#rest.call({ method: 'POST', path, body, reply, creates: true }, call)
    return answer.ok ? { ok: true, value: answer.value.data.instance_ids[0] } : answer
  }

  async instances(call: Call): Promise<Answer<readonly unknown[]>> {
    const reply = z.object({ data: z.array(z.unknown()) })
    const answer = await this.#rest.call({ method: 'GET', path: [...ROOT, 'instances'], reply }, call)
    return answer.ok ? { ok: true, value: answer.value.data } : answer
  }

  async instance(id: string, call: Call): Promise<Answer<LambdaInstance | undefined>> {
    const reply = z.object({ data: instance }).optional()
    const answer = await this.#rest.call({ method: 'GET', path: [...ROOT, 'instances', id], reply, isAbsent }, call)
    return answer.ok ? { ok: true, value: answer.value?.data } : answer
  }

  /** The state after it; undefined: there is no such machine. */
  async terminate(id: string, call: Call): Promise<Answer<string | undefined>> {
    const one = z.object({ id: z.string(), status: z.string() })
    const reply = z.object({ data: z.object({ terminated_instances: z.array(one) }) }).optional()
    const path = [...ROOT, 'instance-operations', 'terminate']
    const body = { instance_ids: [id] }
    const answer = await this.#rest.call({ method: 'POST', path, body, reply, isAbsent }, call)
    if (!answer.ok || answer.value === undefined) return answer.ok ? { ok: true, value: undefined } : answer
    const found = answer.value.data.terminated_instances.find((each) => each.id === id)
    return { ok: true, value: found?.status ?? 'terminating' }
  }
}

function isAbsent({ code }: RefusalText, status: number): boolean {
  return status === 404 && code === 'global/object-does-not-exist'
}

/** Undefined: it is not in the form of one. */
export function readInstance(value: unknown): LambdaInstance | undefined {
  return instance.safeParse(value).data
}

/** What is left of an entry that is no machine: its id and its name, if it has them. */
export function readNamed(value: unknown): { readonly id: string; readonly name: string } {
  const named = z.object({ id: z.string().catch(''), name: z.string().catch('') }).safeParse(value)
  return named.data ?? { id: '', name: '' }
}
