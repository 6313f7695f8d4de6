import type { Order } from '../../core/life/call/order.ts'
import {
  CAN,
  type Answer,
  type Call,
  type Can,
  type Described,
  type DialledPort,
  type Executed,
  type Hint,
  type Instance,
  type InstanceRef,
  type Inventory,
  type LaunchCall,
  type Launched,
  type InstanceList,
  type LogLine,
  type LogWant,
  type Pipe,
  type Provider,
  type ProviderDeps,
  type ProgramSession,
  type SessionStart,
} from '../../ports/provider.ts'
import { dialDescribed } from '../dial.ts'
import { HealthWatch, type HealthSubject } from '../health-watch.ts'
import { isFree } from './process/free-port.ts'
import type { LocalHost } from './host.ts'
import { crowdedBy, freeCards, inventoryOf } from './inventory.ts'
import { claimOf, type Note } from './note.ts'
import { instanceOf, isAttempt, refuse, type Run, type Runtime, type StartOrder } from './runtime.ts'
import { Unreadable } from './unreadable.ts'

/** This host as a provider: everything that processes and containers have in common. */
export class LocalProvider implements Provider {
  readonly name: string
  readonly kind = 'local'
  readonly can: Can
  readonly lacks: readonly string[]
  readonly unwalled: boolean
  readonly #runtime: Runtime
  readonly #host: LocalHost
  readonly #health: HealthWatch
  /** Launches under way; the runtime may show them already. */
  readonly #pending = new Map<string, Run>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    name: string,
    { runtime, host }: { readonly runtime: Runtime; readonly host: LocalHost },
    deps: ProviderDeps,
  ) {
    this.name = name
    this.#runtime = runtime
    this.#host = host
    this.#health = new HealthWatch(deps.clock, { reach: 'any' })
    this.lacks = runtime.lacks
    this.unwalled = runtime.name === 'process'
    this.can = {
      ...CAN,
      ...LOCAL_CAN,
      ...runtime.can,
      multiNode: runtime.can.rendezvous !== undefined,
      watch: runtime.news !== undefined,
      deadlineMs: runtime.deadlineMs,
    }
  }

  async offers({ signal }: Call): Promise<Answer<Inventory>> {
    const seen = await this.#runtime.survey(signal)
    const inventory = inventoryOf(this.name, this.#host, seen)
    return { ok: true, value: this.can.multiNode ? withGangs(inventory) : inventory }
  }

  async launch(order: Order, { signal, secrets, storageSecrets = NO_SECRETS }: LaunchCall): Promise<Answer<Launched>> {
    const { attempt } = order.tag
    const wrong = wrongWith(order, secrets)
    if (wrong !== undefined) return refuse('BAD_REQUEST', wrong)
    const launched = { ok: true, value: { instance: instanceOf(attempt), usdPerHour: 0 } } as const
    const known = await this.#runtime.find(attempt, signal)
    if (known === undefined && (await this.#runtime.knows(attempt, signal))) return launched
    if (known !== undefined && known.state !== 'starting') return launched

    const why = this.#runtime.refuse(order)
    if (why !== undefined) return refuse('BAD_REQUEST', why)
    if (known === undefined && isFirst(order) && !(await isFree(order.meeting.port)))
      return { ok: false, fault: { ...refuse('TRANSIENT', portTaken(order.meeting.port)).fault, scope: 'none' } }
    const note = known?.note ?? (await this.#reserve(order, signal))
    if (typeof note === 'string') return refuse('SOLD_OUT', note)
    try {
      return (await this.#start(order, note, { signal, secrets, storageSecrets })) ?? launched
    } finally {
      this.#pending.delete(attempt)
    }
  }

  async describe({ tag }: InstanceRef, { signal }: Call): Promise<Answer<Described>> {
    const run = isAttempt(tag.attempt) ? await this.#runtime.find(tag.attempt, signal) : undefined
    // An instance of another owner, even under the same name, is not ours to describe.
    if (run === undefined || run.note.tag.owner !== tag.owner) return { ok: true, value: { state: 'absent' } }
    await this.#health.refresh([subjectOf(run)], AbortSignal.any([signal, AbortSignal.timeout(HEALTH_MS)]))
    return { ok: true, value: this.#instanceOf(run) }
  }

  async list(owner: string, { signal }: Call): Promise<Answer<InstanceList>> {
    const { runs, complete } = await this.#runtime.survey(signal)
    const ours = runs.filter(({ note }) => note.tag.owner === owner)
    this.#health.keepOnly(new Set(runs.map(({ note }) => note.tag.attempt)))
    await this.#health.refresh(ours.map(subjectOf), AbortSignal.any([signal, AbortSignal.timeout(HEALTH_MS)]))
    return { ok: true, value: { instances: ours.map((run) => this.#instanceOf(run)), complete } }
  }

  /** An unreadable attempt is stopped, too: no other owner has that attempt, and "gone" must be true. */
  async stop({ tag }: InstanceRef, { signal }: Call): Promise<Answer<{ readonly gone: boolean }>> {
    if (!isAttempt(tag.attempt)) return { ok: true, value: { gone: true } }
    const run = await this.#runtime.find(tag.attempt, signal).catch((error: unknown) => {
      if (error instanceof Unreadable) return 'unreadable' as const
      throw error
    })
    if (run === undefined) return { ok: true, value: { gone: true } }
    if (run !== 'unreadable' && run.note.tag.owner !== tag.owner) return { ok: true, value: { gone: true } }
    signal.throwIfAborted()
    return { ok: true, value: { gone: await this.#runtime.stop(tag.attempt, signal) } }
  }

  async *watch(_: string, { signal }: Call): AsyncGenerator<Hint> {
    for await (const what of this.#runtime.news?.(signal) ?? []) yield { what }
  }

  async *logs({ tag }: InstanceRef, want: LogWant, { signal }: Call): AsyncGenerator<LogLine> {
    const run = isAttempt(tag.attempt) ? await this.#runtime.find(tag.attempt, signal) : undefined
    if (run === undefined || run.note.tag.owner !== tag.owner) return
    yield* this.#runtime.logs(tag.attempt, want, signal)
  }

  async exec({ tag }: InstanceRef, argv: readonly string[], { signal }: Call): Promise<Answer<Executed>> {
    const run = isAttempt(tag.attempt) ? await this.#runtime.find(tag.attempt, signal) : undefined
    if (run?.state !== 'up' || run.note.tag.owner !== tag.owner) return refuse('BAD_REQUEST', 'It is not running.')
    if (argv.length === 0) return refuse('BAD_REQUEST', 'Name the program to run.')
    return this.#runtime.exec(tag.attempt, argv, signal)
  }

  async session(
    { tag }: InstanceRef,
    { argv, screen }: SessionStart,
    { signal }: Call,
  ): Promise<Answer<ProgramSession>> {
    const run = isAttempt(tag.attempt) ? await this.#runtime.find(tag.attempt, signal) : undefined
    if (run?.state !== 'up' || run.note.tag.owner !== tag.owner) return refuse('BAD_REQUEST', 'It is not running.')
    if (argv.length === 0) return refuse('BAD_REQUEST', 'Name the program to run.')
    if (screen !== undefined) return refuse('BAD_REQUEST', 'It cannot open a terminal.')
    return this.#runtime.session(tag.attempt, argv, signal)
  }

  async dial(ref: InstanceRef, port: DialledPort, call: Call): Promise<Answer<Pipe>> {
    return dialDescribed({ described: await this.describe(ref, call), port, reach: 'any' }, call)
  }

  close(): Promise<void> {
    return this.#runtime.close()
  }

  /** Undefined: it is starting. */
  async #start(
    order: Order,
    note: Note,
    { signal, ...given }: Pick<StartOrder, 'secrets' | 'storageSecrets'> & Pick<LaunchCall, 'signal'>,
  ): Promise<Extract<Answer<Launched>, { readonly ok: false }> | undefined> {
    const { cards: all } = this.#host
    const cards = all.length === 0 ? undefined : note.claim.cards.map((card) => all[card] ?? '')
    const started = await this.#runtime.start({ order, note, cards, ...given }, signal)
    return started.ok ? undefined : started
  }

  /** One after the other: two launches must not pick the same free card. */
  #reserve(order: Order, signal: AbortSignal): Promise<Note | string> {
    const turn = this.#turn.then(async () => {
      const note = this.#pending.get(order.tag.attempt)?.note ?? (await this.#noteFor(order, signal))
      if (typeof note !== 'string')
        this.#pending.set(note.tag.attempt, { note, state: 'starting', exit: undefined, ports: {} })
      return note
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** The note to be written, or why there is no room. */
  async #noteFor(order: Order, signal: AbortSignal): Promise<Note | string> {
    // What is launched while the runtime is read may be missing there.
    const pending = [...this.#pending.values()]
    const seen = await this.#runtime.survey(signal)
    const shown = new Set(seen.runs.map(({ note }) => note.tag.attempt))
    const runs = [...seen.runs, ...pending.filter(({ note }) => !shown.has(note.tag.attempt))]
    const cards = order.place.node?.spot.cards ?? freeCards(order.gpus, this.#host, runs)
    if (cards === undefined) return `This host has fewer than ${order.gpus} free cards.`
    const claim = claimOf(order, cards)
    const ports = order.ports.map(({ name, port, health }) => ({ name, port, health, host: undefined }))
    return crowdedBy(claim, this.#host, runs) ?? { tag: order.tag, ports, claim }
  }

  #instanceOf(run: Run): Instance {
    const healthy = run.state === 'up' ? this.#health.of(run.note.tag.attempt) : undefined
    return {
      instance: instanceOf(run.note.tag.attempt),
      tag: run.note.tag,
      state: run.state,
      usdPerHour: 0,
      ports: run.ports,
      ...(healthy !== undefined && { healthy }),
      ...(run.exit !== undefined && { exit: run.exit }),
      ...(run.checkpointMs !== undefined && { checkpointMs: run.checkpointMs }),
    }
  }
}

/** All members of a gang are on this one host. */
function withGangs(inventory: Inventory): Inventory {
  return { ...inventory, fleets: inventory.fleets.map((fleet) => ({ ...fleet, gangs: 'one-node' as const })) }
}

const NO_SECRETS: StartOrder['storageSecrets'] = new Map()

const LOCAL_CAN = {
  tokens: true,
  completeLists: true,
  settleMs: 0,
  logs: true,
  endedLogs: true,
  exec: true,
  ports: true,
  secrets: true,
  callsPerSecond: 50,
  burst: 100,
  pollMs: 2000,
}

/** Whether it is the gang member that the others connect to. */
function isFirst(order: Order): order is Order & { readonly meeting: NonNullable<Order['meeting']> } {
  return order.meeting !== undefined && order.tag.slot.endsWith('.0')
}

function portTaken(port: number): string {
  return `Port ${port} of this host, where the gang was to meet, is in use; the next try takes another port.`
}

function subjectOf({ state, note, ports }: Run): HealthSubject {
  const targets = note.ports.flatMap(({ name, health }) => {
    const address = ports[name]
    return health === undefined || address === undefined ? [] : [{ ...address, path: health }]
  })
  return { name: note.tag.attempt, targets: state === 'up' ? targets : [] }
}

/** How long a list waits for the health of workloads that do not answer. */
const HEALTH_MS = 3000

/** What is wrong with an order wherever it would run; undefined: nothing. */
function wrongWith(order: Order, secrets: LaunchCall['secrets']): string | undefined {
  const { tag, ports, env } = order
  if (!isAttempt(tag.attempt)) return `attempt: ${tag.attempt.slice(0, 80)} cannot be part of a name.`
  const missing = order.secrets.find((name) => !secrets.has(name))
  if (missing !== undefined) return `secrets: the value of ${missing} is missing.`
  const odd = [...Object.keys(env), ...secrets.keys()].find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (odd !== undefined) return `env: ${odd.slice(0, 80)} is not the name of a variable.`
  if (Object.values(env).some((value) => value.includes('\0'))) return 'env: a value has a NUL character.'
  if ([...order.command, ...order.args].some((word) => word.includes('\0')))
    return 'command: a word has a NUL character.'
  const wrongPort = ports.find(({ port }) => !Number.isInteger(port) || port < 1 || port > 65_535)
  if (wrongPort !== undefined) return `ports: ${wrongPort.name} has no number from 1 to 65535.`
  return undefined
}
