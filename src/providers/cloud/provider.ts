import { isIP } from 'node:net'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { PortAddress } from '../../core/life/call/address.ts'
import { assignIds } from '../../core/offer/identity.ts'
import {
  lacksOf,
  type Answer,
  type Call,
  type Can,
  type Described,
  type DialledPort,
  type Instance,
  type InstanceList,
  type InstanceRef,
  type Inventory,
  type LaunchCall,
  type Launched,
  type LogLine,
  type LogWant,
  type NoLogs,
  type Pipe,
  type Provider,
  type ProviderDeps,
} from '../../ports/provider.ts'
import { within } from '../../ports/deadline.ts'
import { ENOUGH } from '../../ports/timers.ts'
import { dialDescribed } from '../dial.ts'
import { HealthWatch, type HealthSubject } from '../health-watch.ts'
import { isPrivateAddress } from '../rest/address-guard.ts'
import { storagePlan } from '../storage/plan.ts'
import type { CloudApi, CloudMachine, CloudStart, OurMachine } from './api.ts'
import { cloudEnvironment, wrongWith } from './environment.ts'
import { cloudLog, type CloudLogs } from './logs.ts'
import { noteOf, ownerPrefix } from './note.ts'

/** How long a list waits for the health of workloads that do not answer. */
const HEALTH_MS = 3000

/**
 * A machine that has ended and is not removed is told as ended for this long. After that it is told as unclear: what nobody
 * knows any more is then removed like everything else that nobody knows, because it may cost something.
 */
const ENDED_MS = 600_000

/** What a cloud needs of its surroundings, and whether private addresses may be called. */
interface CloudDeps extends Pick<ProviderDeps, 'clock' | 'timers' | 'network'> {
  readonly isInternal: boolean
}

/** A cloud behind the contract: what all clouds have in common. It finds what it started by the note on each machine. */
export class CloudProvider implements Provider {
  readonly name: string
  readonly kind: string
  readonly can: Can
  readonly lacks: readonly string[]
  readonly noLogs: NoLogs | undefined
  readonly logs?: NonNullable<Provider['logs']>
  readonly #api: CloudApi
  readonly #deps: CloudDeps
  readonly #health: HealthWatch
  /** When machines that linger were first seen to have ended. */
  readonly #endedMs = new Map<string, number>()

  constructor(name: string, api: CloudApi, deps: CloudDeps) {
    this.name = name
    this.kind = api.kind
    this.can = api.can
    this.lacks = api.lacks
    const { logs } = api
    this.noLogs = 'why' in logs ? logs : undefined
    if (!('why' in logs)) this.logs = (ref, want, call) => this.#log(logs, { ref, want, call })
    this.#api = api
    this.#deps = deps
    const { clock, network, isInternal } = deps
    this.#health = new HealthWatch(clock, { network, reach: isInternal ? 'any' : 'public' })
  }

  async offers(call: Call): Promise<Answer<Inventory>> {
    const answer = await this.#api.offers(this.name, call)
    if (!answer.ok) return answer
    const { items, complete } = answer.value
    const ids = assignIds(items)
    const lacks = lacksOf(this.can)
    // A volume is a folder on the disk of the machine, where its provider attaches no other.
    const volumeOf = ({ volumeGib, diskGib }: (typeof items)[number]) =>
      this.can.volumes ? (volumeGib ?? diskGib) : volumeGib
    const offers = items.map((draft, index) => {
      return { ...draft, volumeGib: volumeOf(draft), id: ids[index] ?? '', lacks }
    })
    return yes({ offers, fleets: [], complete, freshMs: this.#api.freshMs })
  }

  async launch(order: Order, call: LaunchCall): Promise<Answer<Launched>> {
    const start = this.#startOf(order, call)
    if (!start.ok) return start
    if (order.nodes > 1 && this.can.groups)
      return no({ class: 'BAD_REQUEST', message: 'The members of a gang are started together here.' })
    return this.#api.create(start.value, call)
  }

  async launchGroup(orders: readonly Order[], call: LaunchCall): Promise<Answer<readonly Launched[]>> {
    const starts = orders.map((order) => this.#startOf(order, call))
    const refused = starts.find((start) => !start.ok)
    if (refused?.ok === false) return refused
    const all = starts.flatMap((start) => (start.ok ? [start.value] : []))
    return this.#api.createGroup?.(all, call) ?? no({ class: 'BAD_REQUEST', message: 'Gangs are not started here.' })
  }

  #startOf(order: Order, call: LaunchCall): Answer<CloudStart> {
    const wrong = wrongWith(order, call.secrets) ?? unable(order, this.can) ?? this.#api.refuse(order)
    if (wrong !== undefined) return no({ class: 'BAD_REQUEST', message: wrong })
    if (call.signal.aborted) return no({ class: 'TRANSIENT', message: 'the call was given up before it was made' })
    const storage = storagePlan(order, call.storageSecrets ?? new Map())
    if (typeof storage === 'string') return no({ class: 'BAD_REQUEST', message: storage })
    const env = cloudEnvironment(order, call.secrets)
    return yes({ order, note: noteOf(order), env, ...(storage !== undefined && { storage }) })
  }

  async describe({ tag, instance }: InstanceRef, call: Call): Promise<Answer<Described>> {
    const found = instance === undefined ? await this.#byTag(tag, call) : await this.#byName(instance, call)
    if (!found.ok) return found
    const ours = found.value.find(({ note }) => note.tag.owner === tag.owner && note.tag.attempt === tag.attempt)
    if (ours === undefined) return yes({ state: 'absent' })
    const [seen] = await this.#seen([ours], call.signal)
    return yes(seen ?? { state: 'absent' })
  }

  async dial(ref: InstanceRef, port: DialledPort, call: Call): Promise<Answer<Pipe>> {
    const reach = this.#deps.isInternal ? 'any' : 'public'
    return dialDescribed({ described: await this.describe(ref, call), port, reach }, call)
  }

  async *#log(
    logs: CloudLogs,
    { ref, want, call }: { readonly ref: InstanceRef; readonly want: LogWant; readonly call: Call },
  ): AsyncGenerator<LogLine> {
    const id = ref.instance ?? (await this.#idOf(ref, call))
    if (id === undefined) return
    const isGoingOn = async (on: Call): Promise<boolean> => {
      const seen = await this.describe({ ...ref, instance: id }, on)
      return !seen.ok || (seen.value.state !== 'ended' && seen.value.state !== 'absent')
    }
    yield* cloudLog(want, call, { logs, id, timers: this.#deps.timers, isGoingOn })
  }

  async #idOf({ tag }: InstanceRef, call: Call): Promise<string | undefined> {
    const found = await this.#byTag(tag, call)
    return found.ok ? found.value[0]?.id : undefined
  }

  async list(owner: string, call: Call): Promise<Answer<InstanceList>> {
    const answer = await this.#api.machines(call)
    if (!answer.ok) return answer
    const { items, complete } = answer.value
    const ours = items.filter(isOurs).filter(({ note }) => note.tag.owner === owner)
    this.#forget(items)
    const instances = await this.#seen(ours, call.signal)
    return yes({ instances, complete: complete && !items.some((machine) => mayBeOf(machine, owner)) })
  }

  async stop({ tag, instance }: InstanceRef, call: Call): Promise<Answer<{ readonly gone: boolean }>> {
    if (instance !== undefined) return this.#api.remove(instance, call)
    const found = await this.#byTag(tag, call)
    if (!found.ok) return found
    let gone = true
    // Without a token, a request that was sent twice on the way may have started two.
    for (const { id, state, lingers } of found.value) {
      if (state === 'ended' && lingers !== true) continue
      const answer = await this.#api.remove(id, call)
      if (!answer.ok) return answer
      gone &&= answer.value.gone
    }
    return yes({ gone })
  }

  async #byName(id: string, call: Call): Promise<Answer<readonly OurMachine[]>> {
    const answer = await this.#api.machine(id, call)
    if (!answer.ok) return answer
    if (answer.value === undefined) return yes([])
    if (isOurs(answer.value)) return yes([answer.value])
    return no({ class: 'TRANSIENT', message: `the note on ${id} cannot be read` })
  }

  /** Only a whole list without it proves that there is none. */
  async #byTag({ owner, attempt }: InstanceRef['tag'], call: Call): Promise<Answer<readonly OurMachine[]>> {
    const answer = await this.#api.machines(call)
    if (!answer.ok) return answer
    const { items, complete, fault } = answer.value
    const found = items.filter(isOurs).filter(({ note }) => note.tag.owner === owner && note.tag.attempt === attempt)
    const isSure = complete && !items.some((machine) => mayBeOf(machine, owner))
    if (found.length > 0 || isSure) return yes(found)
    return no({ class: 'TRANSIENT', message: fault?.message ?? 'the list of machines is not complete' })
  }

  async #seen(machines: readonly OurMachine[], signal: AbortSignal): Promise<readonly Instance[]> {
    const told = (await this.#api.ask?.(machines, signal)) ?? machines
    const over = new AbortController()
    const subjects = told.map((machine) => this.#subject(machine))
    await within({ timers: this.#deps.timers, ms: HEALTH_MS, signal }, this.#health.refresh(subjects, over.signal))
    over.abort(ENOUGH)
    return told.map((machine) => this.#instance(machine))
  }

  #instance(machine: OurMachine): Instance {
    const { id, note, exit, endedItself, usdPerHour, reason, endsAtMs, checkpointMs } = machine
    const state = this.#stateOf(machine)
    const healthy = state === 'up' ? this.#health.of(note.tag.attempt) : undefined
    const ports = portsOf(machine)
    return {
      instance: id,
      tag: note.tag,
      state,
      ...(state === 'queued' && reason !== undefined && { reason }),
      ...(healthy !== undefined && { healthy }),
      ...(state === 'ended' && exit !== undefined && { exit }),
      ...(state === 'ended' && endedItself === true && { endedItself }),
      ...(state === 'up' && ports.length > 0 && { ports: Object.fromEntries(ports) }),
      ...(usdPerHour !== undefined && { usdPerHour }),
      ...(state === 'up' && endsAtMs !== undefined && { endsAtMs }),
      ...(checkpointMs !== undefined && { checkpointMs }),
    }
  }

  #stateOf({ id, state, lingers }: OurMachine): Instance['state'] {
    if (state !== 'ended' || lingers !== true) return state
    const nowMs = this.#deps.clock.tickMs()
    const sinceMs = this.#endedMs.get(id) ?? nowMs
    this.#endedMs.set(id, sinceMs)
    return nowMs - sinceMs > ENDED_MS ? 'unclear' : 'ended'
  }

  #subject(machine: OurMachine): HealthSubject {
    const paths = new Map(machine.note.ports.map(({ name, health }) => [name, health]))
    const targets = portsOf(machine).flatMap(([name, address]) => {
      const path = paths.get(name)
      return path === undefined || !this.#mayCall(address) ? [] : [{ ...address, path }]
    })
    return { name: machine.note.tag.attempt, targets: machine.state === 'up' ? targets : [] }
  }

  /** An address that a cloud tells us is called only if it is one on the public internet. */
  #mayCall({ host }: PortAddress): boolean {
    return this.#deps.isInternal || isIP(host) === 0 || !isPrivateAddress(host)
  }

  #forget(machines: readonly CloudMachine[]): void {
    const ids = new Set(machines.map(({ id }) => id))
    for (const id of this.#endedMs.keys()) if (!ids.has(id)) this.#endedMs.delete(id)
    this.#health.keepOnly(new Set(machines.flatMap(({ note }) => (note === undefined ? [] : [note.tag.attempt]))))
  }
}

function portsOf({ note, ports }: OurMachine): readonly (readonly [string, PortAddress])[] {
  return note.ports.flatMap(({ name, port }) => {
    const address = ports?.get(port)
    return address === undefined ? [] : [[name, address] as const]
  })
}

function isOurs(machine: CloudMachine): machine is OurMachine {
  return machine.note !== undefined
}

/** Its note cannot be read, and its name does not rule out that it is this owner's. */
function mayBeOf({ note, name }: CloudMachine, owner: string): boolean {
  return note === undefined && (name === '' || name.startsWith(ownerPrefix(owner)))
}

/** What `can` denies; plans know it already, and an order that comes all the same is told. */
function unable({ storage, nodes }: Order, can: Can): string | undefined {
  if (nodes > 1 && can.rendezvous === undefined) return 'Gangs cannot meet here.'
  if (storage.some(({ from }) => from !== undefined) && !can.objectStorage)
    return 'storage with from is not supported here yet.'
  return storage.some(({ from }) => from === undefined) && !can.volumes
    ? 'storage is not supported here yet.'
    : undefined
}

function yes<T>(value: T): Answer<T> {
  return { ok: true, value }
}

function no(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault }
}
