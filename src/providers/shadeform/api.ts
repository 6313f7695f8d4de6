import * as z from 'zod'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { RestClient } from '../rest/client.ts'
import type { RefusalText } from '../rest/words.ts'
import { SHADEFORM_FAULTS } from './faults.ts'
import type { ShadeformSettings } from './settings.ts'

const instanceType = z.object({
  cloud: z.string().min(1),
  shade_instance_type: z.string().min(1),
  cloud_instance_type: z.string(),
  configuration: z.object({
    memory_in_gb: z.number().min(0),
    storage_in_gb: z.number().min(0),
    vcpus: z.number().min(0),
    num_gpus: z.int().min(0),
    gpu_type: z.string(),
    interconnect: z.string(),
    nvlink: z.boolean().optional(),
    vram_per_gpu_in_gb: z.number(),
    os_options: z.array(z.string()),
  }),
  hourly_price: z.number().min(0),
  deployment_type: z.string(),
  availability: z.array(z.object({ region: z.string().min(1), available: z.boolean() })),
  boot_time: z.object({ max_boot_in_sec: z.number().optional() }).optional(),
})

/** A kind of machine of one of the clouds. */
export type ShadeformType = z.infer<typeof instanceType>

const instance = z.object({
  id: z.string().min(1),
  name: z.string(),
  ip: z.string().optional(),
  status: z.string(),
  status_details: z.string().optional(),
  hourly_price: z.number().min(0).optional(),
  tags: z.array(z.string()).nullish(),
})

export type ShadeformInstance = z.infer<typeof instance>

/** What a machine is ordered with. */
export interface ShadeformOrder {
  readonly cloud: string
  readonly region: string
  readonly shade_instance_type: string
  readonly shade_cloud: boolean
  readonly name: string
  readonly os?: string
  readonly ssh_key_id?: string
  readonly tags: readonly string[]
  readonly launch_configuration: {
    readonly type: 'script'
    readonly script_configuration: { readonly base64_script: string }
  }
}

/** The calls of Shadeform's API that Berth makes, with what their replies must be. */
export class ShadeformApi {
  readonly #rest: RestClient

  constructor(
    { endpoint, isInternal }: ShadeformSettings,
    { credential, network }: Pick<ProviderDeps, 'credential' | 'network'>,
  ) {
    this.#rest = new RestClient({
      base: endpoint,
      credential,
      authorize: (key) => ({ 'x-api-key': key }),
      faults: SHADEFORM_FAULTS,
      isInternal,
      network,
    })
  }

  async types(
    call: Call,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer<readonly (ShadeformType | undefined)[]>> {
    const reply = z.object({ instance_types: z.array(z.unknown()) })
    const answer = await this.#rest.call({ method: 'GET', path: ['instances', 'types'], query, reply }, call)
    if (!answer.ok) return answer
    return { ok: true, value: answer.value.instance_types.map((each) => instanceType.safeParse(each).data) }
  }

  async create(body: ShadeformOrder, call: Call): Promise<Answer<string>> {
    const reply = z.object({ id: z.string().min(1) })
    const answer = await this.#rest.call(
      { method: 'POST', path: ['instances', 'create'], body, reply, creates: true },
      call,
    )
    return answer.ok ? { ok: true, value: answer.value.id } : answer
  }

  async instances(call: Call): Promise<Answer<readonly unknown[]>> {
    const reply = z.object({ instances: z.array(z.unknown()) })
    const answer = await this.#rest.call({ method: 'GET', path: ['instances'], reply }, call)
    return answer.ok ? { ok: true, value: answer.value.instances } : answer
  }

  instance(id: string, call: Call): Promise<Answer<ShadeformInstance | undefined>> {
    return this.#rest.call(
      { method: 'GET', path: ['instances', id, 'info'], reply: instance.optional(), isAbsent },
      call,
    )
  }

  /** `absent`: there is no such machine any more. */
  async remove(id: string, call: Call): Promise<Answer<'absent' | 'begun'>> {
    let isGone = false
    const noted = (said: RefusalText, status: number): boolean => (isGone = isAbsent(said, status))
    const path = ['instances', id, 'delete']
    const answer = await this.#rest.call({ method: 'POST', path, reply: z.unknown(), isAbsent: noted }, call)
    return answer.ok ? { ok: true, value: isGone ? 'absent' : 'begun' } : answer
  }
}

function isAbsent({ code, text }: RefusalText, status: number): boolean {
  return status === 404 && (/not[ _]found|does not exist/i.test(text) || code === 'NOT_FOUND')
}

/** Undefined: it is not in the form of one. */
export function readInstance(value: unknown): ShadeformInstance | undefined {
  return instance.safeParse(value).data
}

/** What is left of an entry that is no machine: its id and its name, if it has them. */
export function readNamed(value: unknown): { readonly id: string; readonly name: string } {
  const named = z.object({ id: z.string().catch(''), name: z.string().catch('') }).safeParse(value)
  return named.data ?? { id: '', name: '' }
}
