import type { ControllerDeps } from '../../src/controller/deps.ts'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Placement } from '../../src/core/life/placement.ts'
import { slotsWanted } from '../../src/core/life/slots.ts'
import { FRESH_STATUS } from '../../src/core/life/status.ts'
import type { Offer } from '../../src/core/offer/offer.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import type { Controller } from './plane.ts'

/**
 * A controller as one would write it in an afternoon: it launches what is missing, then writes down what it has, and
 * forgets what it could not launch. The invariants must catch it.
 */
export class NaiveController implements Controller {
  readonly #deps: ControllerDeps

  constructor(deps: ControllerDeps) {
    this.#deps = deps
  }

  async run(signal: AbortSignal): Promise<void> {
    const { store, timers, holder } = this.#deps
    while (!signal.aborted) {
      try {
        const led = await store.lead(holder, 10_000)
        if (led.kind === 'leading') {
          for (const { body } of await store.list('workload', { limit: 1000 })) await this.#look(body, signal)
        }
      } catch {
        // Tries again at the next turn.
      }
      await timers.sleep(5000, signal)
    }
  }

  poke(): void {}

  async #look(workload: Workload, signal: AbortSignal): Promise<void> {
    const { store, random, platform, owner } = this.#deps
    const { project, name, uid } = workload
    const key = `${project}/${name}`
    if (workload.manifest === undefined || workload.manifest === null) return
    for (const { slot } of slotsWanted(workload)) {
      if ((await store.get('placement', `${key}/${slot}`)) !== undefined) continue
      const record = platform().providers.values().next().value
      if (record === undefined) return
      const call = { signal, requestId: random.id(), secrets: new Map() }
      const capacity = await record.provider.offers(call)
      const offer = capacity.ok ? capacity.value.offers[0] : undefined
      if (offer === undefined) continue
      const tag = { owner, project, workload: name, uid, slot, epoch: 1, attempt: random.id() }
      const launched = await record.provider.launch(orderOf(tag, offer), call)
      if (!launched.ok) continue
      const body = placementOf(orderOf(tag, offer), launched.value.instance)
      await store.commit({ writes: [{ kind: 'placement', key: `${key}/${slot}`, body }] })
    }
    const status = { ...FRESH_STATUS, uid, generation: workload.generation }
    await store.commit({ writes: [{ kind: 'status', key, body: status }] })
  }
}

function orderOf(tag: Order['tag'], offer: Offer): Order {
  const { id, provider, region, zone, instance } = offer
  return {
    tag,
    place: { offer: id, provider, region, zone, instance, market: 'on-demand', node: undefined },
    image: 'registry.example/work:1',
    command: [],
    args: [],
    env: {},
    secrets: [],
    ports: [],
    storage: [],
    cpu: undefined,
    memoryGib: undefined,
    diskGib: undefined,
    gpus: 1,
    usdPerHourMax: 100,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
  }
}

function placementOf(order: Order, instance: string): Placement {
  return {
    order,
    shape: '',
    phase: 'running',
    sinceMs: 0,
    reservedMs: 0,
    instance,
    reserved: { gpus: 1, usdPerHour: 1 },
    calledMs: 0,
    replayed: false,
    absentMs: undefined,
    upMs: undefined,
    healthy: undefined,
    ports: {},
    checkpointMs: undefined,
    why: undefined,
    exit: undefined,
    tries: 0,
    nextTryMs: 0,
    because: 'the first that came along',
  }
}
