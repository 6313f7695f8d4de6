import { noLogsOfVm } from './no-logs.ts'
import type { Order } from '../../../core/life/call/order.ts'
import type { OfferDraft } from '../../../core/offer/identity.ts'
import { CAN, type Answer, type Call, type Can, type Launched, type ProviderDeps } from '../../../ports/provider.ts'
import type { PagedList } from '../../rest/pages.ts'
import type { CloudApi, CloudMachine, CloudStart } from '../api.ts'
import { askRunners } from './status.ts'

/** Who sells, and when it was asked. */
export interface VmSale {
  readonly provider: string
  readonly seenAtMs: number
}

/**
 * What differs between clouds that rent virtual machines, on which a runner of ours starts the container. `Type` is a kind of
 * machine as the cloud describes it.
 */
export interface VmApi<Type> {
  readonly kind: string
  /** Its name, as users know it. */
  readonly called: string
  /** Where it is better than the careful defaults. */
  readonly can: Partial<Can>
  readonly lacks: readonly string[]
  /** Where runners tell their state; 0: they cannot be reached. */
  readonly statusPort: number
  /** Undefined: an entry that cannot be read. With the name of a machine, at least that one. */
  readonly types: (call: Call, instance?: string) => Promise<Answer<PagedList<Type | undefined>>>
  readonly offersOf: (type: Type, sale: VmSale) => readonly OfferDraft[]
  /** The name that its offers have, and what it costs. */
  readonly nameOf: (type: Type) => string
  readonly usdPerHour: (type: Type) => number
  /** Why it can never run this, in words; undefined: it can. */
  readonly refuse?: (order: Order) => string | undefined
  /** One call that creates; the name of the machine. */
  readonly create: (start: CloudStart, type: Type, call: Call) => Promise<Answer<string>>
  readonly list: (call: Call) => Promise<Answer<PagedList<unknown>>>
  /** Undefined: there is no machine of this name. */
  readonly describe: (id: string, call: Call) => Promise<Answer<unknown>>
  /** Of every entry of a list; one that cannot be read still has its name. */
  readonly machineOf: (value: unknown) => CloudMachine
  readonly remove: CloudApi['remove']
}

/** Volumes are folders of the machine's own disk; data is fetched by rclone, which the runner installs where it is missing. */
const STORES = { volumes: true, objectStorage: true }

/** How long offers of machines may be trusted. */
const FRESH_MS = 120_000

/** A cloud of virtual machines. What a machine costs is asked for while nothing exists yet, because replies to orders do not tell. */
export function vmCloud<Type>(
  api: VmApi<Type>,
  { isInternal }: { readonly isInternal: boolean },
  { clock, network }: Pick<ProviderDeps, 'clock' | 'network'>,
): CloudApi {
  const { kind, lacks, statusPort } = api
  return {
    kind,
    can: { ...CAN, ...STORES, secrets: true, settleMs: 180_000, ports: statusPort !== 0, ...api.can },
    lacks,
    logs: noLogsOfVm(api.called),
    freshMs: FRESH_MS,
    offers: async (provider, call) => {
      const answer = await api.types(call)
      if (!answer.ok) return answer
      const { items, complete } = answer.value
      const sale = { provider, seenAtMs: clock.nowMs() }
      const offers = items.flatMap((type) => (type === undefined ? [] : api.offersOf(type, sale)))
      return { ok: true, value: { items: offers, complete: complete && !items.includes(undefined) } }
    },
    refuse: (order) => {
      if (statusPort !== 0 && order.ports.some(({ port }) => port === statusPort))
        return `Port ${statusPort} tells Berth how the container is; use another, or set status_port.`
      return api.refuse?.(order)
    },
    create: (start, call) => created(api, start, call),
    machines: async (call) => {
      const answer = await api.list(call)
      return answer.ok ? { ok: true, value: { ...answer.value, items: answer.value.items.map(api.machineOf) } } : answer
    },
    machine: async (id, call) => {
      const answer = await api.describe(id, call)
      if (!answer.ok) return answer
      return { ok: true, value: answer.value === undefined ? undefined : api.machineOf(answer.value) }
    },
    ...(statusPort !== 0 && {
      ask: (machines, signal) => askRunners(machines, signal, { network, isInternal, port: statusPort }),
    }),
    remove: api.remove,
  }
}

async function created<Type>(api: VmApi<Type>, start: CloudStart, call: Call): Promise<Answer<Launched>> {
  const { place, usdPerHourMax } = start.order
  const types = await api.types(call, place.instance)
  if (!types.ok) return { ok: false, fault: { ...types.fault, created: 'no' } }
  const type = types.value.items.find((each) => each !== undefined && api.nameOf(each) === place.instance)
  if (type === undefined)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} is not sold.` } }
  const usdPerHour = api.usdPerHour(type)
  if (usdPerHour > usdPerHourMax)
    return { ok: false, fault: { class: 'OFFER_GONE', message: `${place.instance} costs $${usdPerHour}/h now.` } }
  const answer = await api.create(start, type, call)
  return answer.ok ? { ok: true, value: { instance: answer.value, usdPerHour, isQuoted: true } } : answer
}
