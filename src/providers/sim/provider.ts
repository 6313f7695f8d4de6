import { fleetOffers } from '../../core/pack/owned/fleet-offers.ts'
import { exitText } from '../../core/life/leave.ts'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  Answer,
  Call,
  Can,
  Described,
  Hint,
  Instance,
  InstanceRef,
  Inventory,
  LaunchCall,
  Launched,
  InstanceList,
  LogLine,
  LogWant,
  Provider,
} from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'
import type { Cloud, CloudInstance } from './cloud.ts'
import { spoiledGroup, spoiledInventory, spoiledInstance, spoiledLaunch } from './garble.ts'
import { Hints } from './hints.ts'
import type { CloudCall, Course, Whims } from './whims.ts'

/** The parts of a simulated provider. Its own side goes on, whatever happens to the caller. */
export interface SimParts {
  readonly name: string
  readonly cloud: Cloud
  readonly can: Can
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timers: Timers
  readonly whims: Whims
  /** Called right before each action. */
  readonly before?: () => void
  /** `everything`: lists show instances of all owners. Left out: only those of the caller. */
  readonly lists?: 'everything'
  /** `flaky`: hints get lost, come for nothing, and their stream breaks. */
  readonly hints?: 'flaky'
  /** Called with each call when it is made. */
  readonly heard?: (ask: CloudCall, course: Course) => void
}

const FRESH_MS = 60_000

/** A simulated cloud behind the same contract as all others. */
export class SimProvider implements Provider {
  readonly kind = 'sim'
  readonly name: string
  readonly can: Can
  readonly #parts: SimParts
  readonly #hints: Hints
  #capacity: Inventory | undefined

  constructor(parts: SimParts) {
    this.name = parts.name
    this.can = parts.can
    this.#parts = parts
    this.#hints = new Hints(parts.hints === 'flaky' ? parts.whims.dice : undefined)
  }

  offers = (call: Call): Promise<Answer<Inventory>> =>
    this.#call('offers', call, {
      act: (course) => this.#inventory(course),
      spoil: (capacity) => spoiledInventory(capacity, this.#parts.whims.dice),
    })

  launch = (order: Order, call: LaunchCall): Promise<Answer<Launched>> =>
    this.#call('launch', call, {
      act: (course) => first(this.#launchedAll([order], call.secrets, course)),
      spoil: (launched) => spoiledLaunch(launched, this.#parts.whims.dice),
    })

  launchGroup = (orders: readonly Order[], call: LaunchCall): Promise<Answer<readonly Launched[]>> =>
    this.#call('launch', call, {
      act: (course) => this.#launchedAll(orders, call.secrets, course),
      spoil: (launched) => spoiledGroup(launched, this.#parts.whims.dice),
    })

  watch = (_owner: string, { signal }: Call): AsyncIterable<Hint> => this.#hints.follow(signal)

  describe = (ref: InstanceRef, call: Call): Promise<Answer<Described>> =>
    this.#call('describe', call, {
      act: () => (this.#parts.cloud.find(ref)?.unreadable === undefined ? ok(this.#described(ref)) : UNREADABLE),
      spoil: (seen) => (seen.state === 'absent' ? seen : spoiledInstance(seen, this.#parts.whims.dice)),
    })

  list = (owner: string, call: Call): Promise<Answer<InstanceList>> =>
    this.#call('list', call, {
      act: (course) => this.#listing(owner, course),
      spoil: ({ instances }) => ({
        instances: instances.map((instance) => spoiledInstance(instance, this.#parts.whims.dice)),
        complete: false,
      }),
    })

  stop = (ref: InstanceRef, call: Call): Promise<Answer<{ readonly gone: boolean }>> =>
    this.#call('stop', call, {
      act: () => {
        const found = this.#parts.cloud.find(ref)
        if (found?.unreadable !== undefined) return UNREADABLE
        const nowMs = this.#parts.clock.nowMs()
        const after = found && this.#parts.cloud.stop(found.id, nowMs)
        if (after !== undefined) this.#hintAt(after.endsMs)
        return ok({ gone: after === undefined || after.endsMs <= nowMs })
      },
      spoil: () => undefined,
    })

  async *logs(ref: InstanceRef, want: LogWant, { signal }: Call): AsyncIterable<LogLine> {
    const { follow, sinceMs = 0 } = want
    let shown = Math.trunc(Number(want.after ?? 0)) || 0
    let tail = want.after === undefined ? want.tail : undefined
    for (;;) {
      const found = this.#parts.cloud.find(ref)
      const nowMs = this.#parts.clock.nowMs()
      const lines = found === undefined ? [] : linesOf(found, nowMs)
      for (let at = tail === undefined ? shown : Math.max(0, lines.length - tail); at < lines.length; at++) {
        const line = lines[at]
        if (line !== undefined && (line.atMs ?? sinceMs) >= sinceMs) yield { ...line, mark: String(at + 1) }
      }
      shown = Math.max(shown, lines.length)
      tail = undefined
      const isOver = found === undefined || found.endsMs <= nowMs
      if (isOver || !follow || signal.aborted) return
      await this.#parts.timers.sleep(1000, signal)
    }
  }

  /** The request, the action, the reply, and what may go wrong on the way. */
  async #call<T>(ask: CloudCall, { signal }: Call, deed: Deed<T>): Promise<Answer<T>> {
    const { whims, timers, heard } = this.#parts
    const course = whims.course(ask)
    heard?.(ask, course)
    const { fate, thereMs, backMs } = course
    if (fate === 'silent') return this.#silence(deed, course, signal)
    await timers.sleep(thereMs, signal)
    if (fate === 'late') void this.#later(deed, course)
    const refusal = REFUSALS[fate]
    if (refusal === undefined) this.#parts.before?.()
    const answer = refusal === undefined ? deed.act(course) : undefined
    await timers.sleep(backMs, signal)
    if (answer === undefined || fate === 'lost' || (fate === 'noted' && whims.dice.oneIn(2))) {
      if (refusal === undefined || whims.dice.oneIn(4)) throw new Error(`${ask}: connection reset`)
      return { ok: false, fault: refusal(whims, ask) }
    }
    if (fate === 'broken') return { ok: false, fault: serverError(ask) }
    if (fate !== 'garbled') return answer
    return answer.ok ? garbled(deed.spoil(answer.value)) : answer
  }

  async #later<T>(deed: Deed<T>, course: Course): Promise<void> {
    await this.#parts.timers.sleep(course.backMs + course.laterMs)
    this.#parts.before?.()
    deed.act(course)
  }

  /** It never answers; a client that watches its signal notices that it gave up. */
  async #silence<T>(deed: Deed<T>, course: Course, signal: AbortSignal): Promise<Answer<T>> {
    const { timers, whims } = this.#parts
    const arrives = whims.dice.oneIn(2)
    const tells = whims.dice.oneIn(2)
    await timers.sleep(course.thereMs)
    if (arrives) deed.act(course)
    return new Promise((_, reject) => {
      if (tells) signal.addEventListener('abort', () => reject(new Error('given up')), { once: true })
    })
  }

  #inventory({ fate }: Course): Answer<Inventory> {
    const { cloud, clock, whims } = this.#parts
    if (fate === 'stale' && this.#capacity !== undefined) return ok(this.#capacity)
    const offers = cloud.offers(clock.nowMs())
    const kept = fate === 'partial' ? offers.filter(() => !whims.dice.oneIn(3)) : offers
    // A part of a fleet would be another fleet: fleets are told as a whole or not at all.
    const all = cloud.fleets(clock.nowMs())
    const fleets = all.length > 0 && fate === 'partial' && whims.dice.oneIn(2) ? [] : all
    const owned = fleets.flatMap((fleet) => fleetOffers(fleet, cloud.hostsOf(fleet.region)))
    const complete = fate !== 'partial'
    const capacity: Inventory = { offers: [...kept, ...owned], fleets, complete, freshMs: FRESH_MS }
    if (fate !== 'partial') this.#capacity = capacity
    return ok(capacity)
  }

  #launchedAll(
    orders: readonly Order[],
    secrets: LaunchCall['secrets'],
    { fate }: Course,
  ): Answer<readonly Launched[]> {
    const { cloud, clock, whims } = this.#parts
    const names = orders[0]?.secrets ?? []
    const missing = names.find((name) => !secrets.has(name))
    if (missing !== undefined) return { ok: false, fault: { class: 'BAD_REQUEST', message: `no value for ${missing}` } }
    const greeting = names.map((name) => `${name} has ${secrets.get(name)?.reveal().length} characters`)
    const isNoted = fate === 'noted' && cloud.spec.tokens
    // A group that leaves something behind leaves half of it at times.
    const isHalf = fate === 'leaving' && orders.length > 1 && whims.dice.oneIn(2)
    const carried = isHalf ? orders.slice(0, Math.ceil(orders.length / 2)) : orders
    const launch = cloud.launch(carried, clock.nowMs(), { greeting, isNoted })
    if (launch.kind === 'refused') return { ok: false, fault: launch.fault }
    for (const { queuedMs = 0, upMs } of launch.instances) [queuedMs, upMs].forEach((atMs) => this.#hintAt(atMs))
    if (isHalf && whims.dice.oneIn(2)) return ok(launch.instances.map(launchedOf))
    return fate === 'leaving' ? leaving(launch.instances, whims) : ok(launch.instances.map(launchedOf))
  }

  /** Tells those who watch when something will have changed. */
  #hintAt(atMs: number): void {
    const { clock, timers } = this.#parts
    if (!this.can.watch || atMs === Infinity) return
    const waitMs = atMs - clock.nowMs()
    if (waitMs <= 0) this.#hints.tell()
    else void timers.sleep(waitMs).then(() => this.#hints.tell())
  }

  #described(ref: InstanceRef): Described {
    const found = this.#parts.cloud.find(ref)
    return found === undefined ? { state: 'absent' } : seen(found, this.#parts.clock.nowMs(), 0)
  }

  #listing(owner: string, { fate }: Course): Answer<InstanceList> {
    const { cloud, clock, whims } = this.#parts
    const nowMs = clock.nowMs()
    cloud.forget(nowMs)
    const instances: Instance[] = []
    let complete = true
    for (const found of cloud.instances()) {
      const isMeant = this.#parts.lists === 'everything' || found.tag.owner === owner
      if (!isMeant || found.shownMs > nowMs) continue
      if (found.unreadable === 'hidden') complete = false
      else instances.push(seen(found, nowMs, found.lingerMs))
    }
    if (fate !== 'partial' && fate !== 'hollow') return ok({ instances, complete })
    // A missing page, or a lagging replica: mostly the newest are missing, sometimes any.
    const half = instances.slice(0, Math.floor(instances.length / 2))
    const some = whims.dice.oneIn(3) ? instances.filter(() => whims.dice.oneIn(2)) : half
    return ok({ instances: some, complete: complete && fate === 'hollow' })
  }
}

function launchedOf({ id, usdPerHour }: CloudInstance): Launched {
  return { instance: id, usdPerHour }
}

function first<T>(answer: Answer<readonly T[]>): Answer<T> {
  if (!answer.ok) return answer
  const [value] = answer.value
  return value === undefined ? { ok: false, fault: serverError('launch') } : ok(value)
}

/** The order is refused, and what it has created stays. */
function leaving(instances: readonly CloudInstance[], { dice }: Whims): Answer<never> {
  const name = dice.pick(['SOLD_OUT', 'QUOTA', 'TRANSIENT', 'OFFER_GONE', 'RATE_LIMIT'] as const)
  const created = dice.pick(['yes', 'maybe'] as const)
  const [left] = instances
  const isNamed = left !== undefined && instances.length === 1 && created === 'yes' && dice.oneIn(2)
  const message = 'it was refused after it had begun'
  return { ok: false, fault: { class: name, message, created, ...(isNamed && { instance: left.id }) } }
}

/** Like a note on a disk that cannot be read: it exists, but its content is unknown. */
const UNREADABLE = { ok: false, fault: { class: 'TRANSIENT', message: 'its state cannot be read' } } as const

interface Deed<T> {
  readonly act: (course: Course) => Answer<T>
  /** Undefined: the answer cannot be read at all. */
  readonly spoil: (value: T) => T | undefined
}

type Refusing = (whims: Whims, ask: CloudCall) => Fault

/** Fates in which nothing is carried out before the caller has its answer. */
const REFUSALS: Readonly<Partial<Record<Course['fate'], Refusing>>> = {
  unreachable: (_, ask) => ({ class: 'TRANSIENT', message: `${ask}: connection refused` }),
  late: (_, ask) => serverError(ask),
  throttled: ({ dice }) => {
    const retryAfterMs = 1000 * (1 + dice.roll(20))
    return { class: 'RATE_LIMIT', message: 'too many requests', ...(dice.oneIn(2) && { retryAfterMs }) }
  },
  revoked: () => ({ class: 'AUTH', message: 'this key is not valid' }),
  failing: (_, ask) => ({ class: 'TRANSIENT', message: `${ask}: try again later` }),
}

function serverError(ask: CloudCall): Fault {
  return { class: ask === 'launch' ? 'AMBIGUOUS' : 'TRANSIENT', message: `${ask}: internal server error` }
}

function garbled<T>(value: T | undefined): Answer<T> {
  if (value === undefined) throw new SyntaxError('Unexpected end of JSON input')
  return ok(value)
}

/** An instance as reported at a moment; for `lagMs` after its end it may still be reported as alive. */
function seen(found: CloudInstance, nowMs: number, lagMs: number): Instance {
  const { id, tag, upMs, endsMs, exit, usdPerHour, noticeMs, checkpointSeconds, healthy } = found
  const isOver = endsMs + lagMs <= nowMs
  if (found.unreadable !== undefined) return { instance: id, tag, state: 'unclear' }
  const isQueued = (found.queuedMs ?? 0) > nowMs
  const state = isOver ? 'ended' : upMs <= nowMs ? 'up' : isQueued ? 'queued' : 'starting'
  const everyMs = (checkpointSeconds ?? 0) * 1000
  const ranMs = Math.min(nowMs, endsMs) - upMs
  const checkpointMs = everyMs > 0 && ranMs >= everyMs ? upMs + Math.floor(ranMs / everyMs) * everyMs : undefined
  return {
    instance: id,
    tag,
    state,
    ...(state === 'queued' && { reason: 'it waits for its turn' }),
    usdPerHour,
    ...(healthy !== undefined && state === 'up' && { healthy }),
    ...(isOver && exit !== undefined && { exit }),
    ...(noticeMs !== undefined && noticeMs <= nowMs && { endsAtMs: endsMs }),
    ...(checkpointMs !== undefined && { checkpointMs }),
  }
}

/** A few lines that a program might have printed so far. */
function linesOf(instance: CloudInstance, nowMs: number): readonly LogLine[] {
  const { upMs, endsMs, exit, offer, tag, prints } = instance
  const line = (atMs: number, text: string): LogLine => ({ atMs, stream: 'out', text })
  if (nowMs < upMs) return []
  if (prints.length > 0) return prints.map((text) => line(upMs, text))
  const lines = [line(upMs, `starting ${tag.workload} ${tag.slot}, epoch ${tag.epoch}, on ${offer}`)]
  const untilMs = Math.min(nowMs, endsMs)
  const stepMs = Math.max(1000, Math.floor((untilMs - upMs) / 500))
  for (let atMs = upMs + stepMs; atMs <= untilMs; atMs += stepMs) {
    lines.push(line(atMs, `working, ${Math.round((atMs - upMs) / 1000)} s so far`))
  }
  if (endsMs <= nowMs) lines.push(line(endsMs, `ended${exit === undefined ? '' : `: ${exitText(exit)}`}`))
  return lines
}

function ok<T>(value: T): Answer<T> {
  return { ok: true, value }
}
