import type { Order } from '../../src/core/life/call/order.ts'
import type { Answer, Hint, LaunchCall, Provider } from '../../src/ports/provider.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'
import type { StoreWire } from './network.ts'
import type { Process } from '../../src/controller/process.suite.ts'

/** Called around every call that leaves a process: `before` nothing has been sent, `after` all is done but the answer is not there. */
export type CallHook = (process: Process, when: 'before' | 'after', call: string) => void

/** What every way out of a process needs. */
export interface Gate {
  readonly loop: Loop
  readonly process: Process
  readonly hook: CallHook
  /** Sees what goes along with a launch. */
  readonly sent?: (order: Order, secrets: LaunchCall['secrets']) => void
}

/** A provider as one process reaches it. */
export function gatedProvider(provider: Provider, gate: Gate): Provider {
  const { name, kind, can } = provider
  const through = <T>(call: string, make: () => Promise<Answer<T>>): Promise<Answer<T>> =>
    gated(gate, `${name}.${call}`, make)
  return {
    name,
    kind,
    can,
    offers: (call) => through('offers', () => provider.offers(call)),
    launch: (order, call) => {
      if (gate.process.isAlive) gate.sent?.(order, call.secrets)
      return through('launch', () => provider.launch(order, call))
    },
    launchGroup: (orders, call) => {
      if (gate.process.isAlive) for (const order of orders) gate.sent?.(order, call.secrets)
      return through('launch', () => provider.launchGroup?.(orders, call) ?? Promise.reject(new Error('no groups')))
    },
    watch: (owner, call) => delivered(gate, provider.watch?.(owner, call)),
    describe: (ref, call) => through('describe', () => provider.describe(ref, call)),
    list: (owner, call) => through('list', () => provider.list(owner, call)),
    stop: (ref, call) => through('stop', () => provider.stop(ref, call)),
  }
}

/** Hints reach a process only while it lives. */
async function* delivered({ process }: Gate, hints: AsyncIterable<Hint> | undefined): AsyncGenerator<Hint> {
  for await (const hint of hints ?? []) {
    await new Promise<void>((resolve) => process.deliver(resolve))
    yield hint
  }
}

/** Sees every call to the database at the moment it is carried out, and its outcome. */
export interface StoreWatch {
  readonly committed: (
    process: Process,
    commit: Parameters<Store['commit']>[0],
    outcome: Awaited<ReturnType<Store['commit']>>,
  ) => void
  readonly led: (process: Process, led: Awaited<ReturnType<Store['lead']>>) => void
}

/** The database as one process reaches it. */
export function gatedStore(store: Store, wire: StoreWire, gate: Gate & { readonly watch: StoreWatch }): Store {
  const { loop, process, watch } = gate
  const through = <T>(call: string, act: () => Promise<T>): Promise<T> =>
    gated(gate, `store.${call}`, async () => {
      const { ms, backMs, fate } = wire.course({ plane: process.plane, call })
      await loop.sleep(ms)
      if (fate === 'down') throw new Error('the database cannot be reached')
      const value = await act()
      if (fate === 'lost') throw new Error('the connection to the database broke')
      if (backMs > 0) await loop.sleep(backMs)
      return value
    })
  return {
    get: (kind, key) => through('get', () => store.get(kind, key)),
    list: (kind, page) => through('list', () => store.list(kind, page)),
    commit: (commit) =>
      through('commit', async () => {
        const outcome = await store.commit(commit)
        watch.committed(process, commit, outcome)
        return outcome
      }),
    changes: (since, limit) => through('changes', () => store.changes(since, limit)),
    head: () => through('head', () => store.head()),
    events: (query) => through('events', () => store.events(query)),
    audit: (query) => through('audit', () => store.audit(query)),
    count: (kind, query) => through('count', () => store.count(kind, query)),
    lead: (holder, ttlMs) =>
      through('lead', async () => {
        const led = await store.lead(holder, ttlMs)
        watch.led(process, led)
        return led
      }),
    yieldLead: (holder) => through('yieldLead', () => store.yieldLead(holder)),
    prune: (beforeMs) => through('prune', () => store.prune(beforeMs)),
    close: () => through('close', () => Promise.resolve()),
  }
}

/** A killed process makes no calls and gets no answers. */
function gated<T>({ process, hook }: Gate, call: string, make: () => Promise<T>): Promise<T> {
  if (process.isAlive) hook(process, 'before', call)
  if (!process.isAlive) return new Promise(() => undefined)
  const answered = (hand: () => void): void => {
    if (process.isAlive) hook(process, 'after', call)
    process.deliver(hand)
  }
  return new Promise((resolve, reject) => {
    make().then(
      (value) => answered(() => resolve(value)),
      (error: unknown) => answered(() => reject(error)),
    )
  })
}
