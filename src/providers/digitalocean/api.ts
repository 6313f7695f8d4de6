import * as z from 'zod'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { RestClient } from '../rest/client.ts'
import { readPages, type PagedList } from '../rest/pages.ts'
import type { RefusalText } from '../rest/words.ts'
import { DIGITALOCEAN_FAULTS } from './faults.ts'
import type { DigitaloceanSettings } from './settings.ts'

const amount = z.object({ amount: z.number().min(0), unit: z.string() })

const type = z.object({
  slug: z.string().min(1),
  /** In MB. */
  memory: z.number().min(0),
  vcpus: z.number().min(0),
  /** In GB. */
  disk: z.number().min(0),
  price_hourly: z.number().min(0),
  regions: z.array(z.string()),
  available: z.boolean(),
  gpu_info: z.object({ count: z.int().min(1), model: z.string().min(1), vram: amount.optional() }),
})

/** A size of droplets with cards, and where it can be had. */
export type DigitaloceanType = z.infer<typeof type>

const machine = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  size: z.object({ price_hourly: z.number().min(0) }),
  networks: z.object({ v4: z.array(z.object({ ip_address: z.string(), type: z.string() })).optional() }),
  tags: z.array(z.string()).default([]),
})

/** What a machine is ordered with. */
export interface DigitaloceanOrder {
  readonly name: string
  readonly size: string
  readonly region: string
  readonly image: string
  readonly ssh_keys: readonly string[]
  readonly tags: readonly string[]
  readonly user_data: string
}

/** The calls of DigitalOcean's API that Berth makes, with what their replies must be. */
export class DigitaloceanApi {
  readonly #rest: RestClient

  constructor({ endpoint, isInternal }: DigitaloceanSettings, { credential, network }: ProviderDeps) {
    this.#rest = new RestClient({
      base: endpoint,
      credential,
      authorize: (key) => ({ authorization: `Bearer ${key}` }),
      faults: DIGITALOCEAN_FAULTS,
      isInternal,
      network,
    })
  }

  /** Sizes without cards are left out. */
  async types(call: Call): Promise<Answer<PagedList<DigitaloceanType | undefined>>> {
    const answer = await this.#pages({ what: 'sizes' }, call)
    if (!answer.ok) return answer
    const items = answer.value.items.filter(hasCards).map((each) => type.safeParse(each).data)
    return { ok: true, value: { ...answer.value, items } }
  }

  async create(body: DigitaloceanOrder, call: Call): Promise<Answer<string>> {
    const reply = z.object({ droplet: z.object({ id: z.int() }) })
    const answer = await this.#rest.call({ method: 'POST', path: ['v2', 'droplets'], body, reply, creates: true }, call)
    return answer.ok ? { ok: true, value: String(answer.value.droplet.id) } : answer
  }

  /** Without a word, only those without cards are listed. */
  machines(call: Call): Promise<Answer<PagedList<unknown>>> {
    return this.#pages({ what: 'droplets', type: 'gpus' }, call)
  }

  async machine(id: string, call: Call): Promise<Answer<unknown>> {
    const reply = z.object({ droplet: z.unknown() }).optional()
    const answer = await this.#rest.call({ method: 'GET', path: ['v2', 'droplets', id], reply, isAbsent }, call)
    return answer.ok ? { ok: true, value: answer.value?.droplet } : answer
  }

  /** `absent`: there is no such machine any more. */
  async remove(id: string, call: Call): Promise<Answer<'absent' | 'begun'>> {
    let isGone = false
    const noted = (said: RefusalText, status: number): boolean => (isGone = isAbsent(said, status))
    const path = ['v2', 'droplets', id]
    const answer = await this.#rest.call({ method: 'DELETE', path, reply: z.unknown(), isAbsent: noted }, call)
    return answer.ok ? { ok: true, value: isGone ? 'absent' : 'begun' } : answer
  }

  #pages(
    { what, type: only }: { readonly what: 'sizes' | 'droplets'; readonly type?: 'gpus' },
    call: Call,
  ): Promise<Answer<PagedList<unknown>>> {
    return readPages(async (page) => {
      const query = { per_page: PAGE, page, type: only }
      const answer = await this.#rest.call({ method: 'GET', path: ['v2', what], query, reply: listed(what) }, call)
      if (!answer.ok) return answer
      const next = answer.value.links?.pages?.next
      const cursor = next === undefined ? undefined : (URL.parse(next)?.searchParams.get('page') ?? '')
      return { ok: true, value: { items: answer.value[what] ?? [], next: cursor } }
    })
  }
}

const PAGE = 200

function listed(what: 'sizes' | 'droplets') {
  const links = z.object({ pages: z.object({ next: z.string().optional() }).optional() }).optional()
  const items = z.array(z.unknown())
  return z.object({
    sizes: what === 'sizes' ? items : items.optional(),
    droplets: what === 'droplets' ? items : items.optional(),
    links,
  })
}

function hasCards(size: unknown): boolean {
  return typeof size === 'object' && size !== null && 'gpu_info' in size && size.gpu_info !== undefined
}

/** A wrong key may be a 404, too: only words about the machine mean that it is gone. */
function isAbsent({ code, text }: RefusalText, status: number): boolean {
  return status === 404 && (code === 'not_found' || /could not be found|not found/i.test(text))
}

/** Undefined: it is not in the form of one. */
export function readMachine(value: unknown): z.infer<typeof machine> | undefined {
  return machine.safeParse(value).data
}

/** What is left of an entry that is no machine: its id and its name, if it has them. */
export function readNamed(value: unknown): { readonly id: string; readonly name: string } {
  const named = z.object({ id: z.int().catch(0), name: z.string().catch('') }).safeParse(value).data
  return { id: String(named?.id ?? ''), name: named?.name ?? '' }
}
