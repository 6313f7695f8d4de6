import { isLiving } from '../../src/core/life/seats.ts'
import { groupOf, seatsOf } from '../../src/core/life/slots.ts'
import { isBilled, type Placement } from '../../src/core/life/placement.ts'
import type { CloudCall } from '../../src/providers/sim/whims.ts'
import type { CloudInstance } from '../../src/providers/sim/cloud.ts'
import type { LaunchCall } from '../../src/ports/provider.ts'
import type { Commit, Committed, Led } from '../../src/ports/store.ts'
import type { Order } from '../../src/core/life/call/order.ts'
import { causeOf } from './cause.ts'
import type { Check, Evidence, TrueCloud, Witness } from './check/check.ts'
import { agreedCheck } from './check/agreed.ts'
import { cardsCheck } from './check/cards.ts'
import { endedCheck } from './check/ended.ts'
import { eventsCheck } from './check/events.ts'
import { jobsCheck } from './check/jobs.ts'
import { quotaCheck } from './check/quota.ts'
import { queuedCheck } from './check/queued.ts'
import { refusalsCheck } from './check/refusals.ts'
import { restlessCheck } from './check/restless.ts'
import { secretsCheck } from './check/secrets.ts'
import { serviceCheck, spreadCheck } from './check/service.ts'
import { successionCheck } from './check/succession.ts'
import { Mirror } from './users/mirror.ts'
import type { Process } from '../../src/controller/process.suite.ts'

/** Of what must always hold, which was broken, when (ms from the start), and how. */
export interface Violation {
  readonly invariant: string
  readonly at: number
  readonly detail: string
}

const MINUTE_MS = 60_000
const ORPHAN_MS = 5 * MINUTE_MS
const HALF_GANG_MS = 25 * MINUTE_MS
const VIOLATIONS_MAX = 20

/** Everything that must hold, checked against what the clouds bill and what the store holds, whenever either changes. */
export class Invariants {
  readonly mirror = new Mirror()
  readonly violations: Violation[] = []
  /** The kinds of events that were written. */
  readonly told = new Set<string>()
  readonly #witness: Witness
  /** Billed instances of ours by workload uid and slot. */
  readonly #bySlot = new Map<string, Set<CloudInstance['id']>>()
  readonly #home = new Map<string, TrueCloud>()
  readonly #byAttempt = new Map<string, string>()
  readonly #unownedMs = new Map<string, number>()
  readonly #halfMs = new Map<string, number>()
  /** By gang: when it was known that a machine of it goes, and when it went. */
  readonly #lost = new Map<string, { readonly knownMs: number; readonly endsMs: number }>()
  readonly #sickMs = new Map<string, number>()
  readonly #calls = new Map<string, { minute: number; count: number }>()
  readonly #moving = new Map<string, Set<string>>()
  readonly #secrets: ReturnType<typeof secretsCheck>
  readonly #checks: readonly Check[]
  #leader: Process | undefined

  constructor(witness: Witness) {
    this.#witness = witness
    const evidence: Evidence = {
      witness,
      mirror: this.mirror,
      billed: (uid, slot) => this.billed(uid, slot),
      startedBy: (attempt) => this.#startedBy(attempt),
      broke: (invariant, detail) => this.broke(invariant, detail),
    }
    this.#secrets = secretsCheck(evidence)
    const others = [
      cardsCheck,
      quotaCheck,
      agreedCheck,
      endedCheck,
      queuedCheck,
      serviceCheck,
      spreadCheck,
      successionCheck,
      jobsCheck,
      eventsCheck,
      refusalsCheck,
      restlessCheck,
    ]
    this.#checks = [this.#secrets, ...others.map((make) => make(evidence))]
  }

  /** The truth has changed. */
  changed(cloud: TrueCloud, after: CloudInstance, before: CloudInstance | undefined): void {
    if (before === undefined) this.#created(cloud, after)
    else if (after.endedBy === 'call' && before.endedBy !== 'call') this.#stopped(before)
    if (after.healthy === false) this.#sickMs.set(after.id, this.#witness.nowMs())
    // Work that ends by itself is no loss to its gang; work that fails is never part of one here.
    const isLoss = after.endedBy !== before?.endedBy && after.endedBy !== 'call' && after.endedBy !== 'itself'
    if (isLoss && after.endedBy !== undefined) {
      this.#lost.set(gangKey(after), { knownMs: this.#witness.nowMs(), endsMs: after.endsMs })
    }
  }

  /** Something was written; `process` undefined: by a server that answers users. */
  committed(commit: Commit, outcome: Committed, process: Process | undefined): void {
    if (outcome.kind !== 'done') return
    if (process !== undefined) this.#checkFence(commit, process)
    for (const write of commit.writes) {
      if (write.kind === 'placement') this.#checkPlacement(write.key, write.body)
    }
    for (const { kind } of commit.events ?? []) this.told.add(kind)
    for (const check of this.#checks) check.written?.(commit, process)
    this.mirror.take(commit, this.#witness.nowMs())
  }

  /** A launch leaves with these values. */
  sent(order: Order, secrets: LaunchCall['secrets']): void {
    for (const check of this.#checks) check.sent?.(order, secrets)
  }

  led(led: Led, process: Process): void {
    if (led.kind === 'leading') this.#leader = process
  }

  /** A process is about to change something at a provider: only the leader may. */
  acting(process: Process, call: string): void {
    if (this.#leader !== process) this.#break('fencing', `${process.name} called ${call} without leading`)
  }

  /** Lists of instances and of offers are read at a pace of their own, and counted apart. */
  called(provider: string, ask: CloudCall): void {
    const minute = Math.floor(this.#witness.nowMs() / MINUTE_MS)
    const isLook = ask === 'list' || ask === 'offers'
    const key = isLook ? `${provider} ${ask}` : provider
    const known = this.#calls.get(key)
    const count = known?.minute === minute ? known.count + 1 : 1
    this.#calls.set(key, { minute, count })
    const most = this.#witness.callsPerMinute(provider, isLook)
    if (count === Math.ceil(most) + 1) this.#break('I9', `${key} was called more than ${most} times in a minute`)
  }

  logged(line: string): void {
    this.#secrets.logged(line)
  }

  /** Somebody else has seen something that must not be. */
  broke(invariant: string, detail: string): void {
    this.#break(invariant, detail)
  }

  /** Everything that is wrong only if it goes on for too long. */
  tick(): void {
    const nowMs = this.#witness.nowMs()
    for (const [name, cloud] of this.#witness.clouds) {
      const readyMs = this.#witness.readySinceMs(name)
      for (const instance of cloud.instances()) {
        if (instance.tag.owner === this.#witness.owner && instance.endsMs > nowMs) this.#checkOwned(instance, readyMs)
      }
    }
    this.#checkGangs()
    for (const [key, placement] of this.mirror.placements) this.#checkNoticed(key, placement)
    for (const check of this.#checks) check.tick?.()
  }

  /** Instances of a slot that are billed now. */
  billed(uid: string, slot: string): readonly CloudInstance[] {
    const nowMs = this.#witness.nowMs()
    const ids = [...(this.#bySlot.get(`${uid}/${slot}`) ?? [])]
    return ids.flatMap((id) => this.#home.get(id)?.instance(id) ?? []).filter(({ endsMs }) => endsMs > nowMs)
  }

  #startedBy(attempt: string): CloudInstance | undefined {
    const id = this.#byAttempt.get(attempt) ?? ''
    return this.#home.get(id)?.instance(id)
  }

  #created(cloud: TrueCloud, instance: CloudInstance): void {
    const { tag, id } = instance
    if (tag.owner !== this.#witness.owner) return
    this.#home.set(id, cloud)
    this.#byAttempt.set(tag.attempt, id)
    const before = this.billed(tag.uid, tag.slot)
    const slot = `${tag.uid}/${tag.slot}`
    const ids = this.#bySlot.get(slot) ?? new Set()
    this.#bySlot.set(slot, ids.add(id))
    if (tag.uid === LEFTOVER) return
    if (before.length > 0) this.#break('I1', `${tag.workload} ${tag.slot}: ${id} beside ${before[0]?.id}`)
    const attempt = this.mirror.attempts.get(tag.attempt)
    if (attempt === undefined) return this.#break('intent', `${id} was created before its intent was written`)
    if (attempt.goneMs !== undefined) this.#break('I5', `${id} appeared after its reservation was released`)
    this.#checkLimits(instance)
    this.#checkBounds(instance, attempt.placement, attempt.intentMs)
  }

  #checkLimits({ tag }: CloudInstance): void {
    const { gpusMax = Infinity, usdPerHourMax = Infinity } = this.#witness.limitsOf(tag.project)
    if (gpusMax === Infinity && usdPerHourMax === Infinity) return
    let gpus = 0
    let usdPerHour = 0
    const nowMs = this.#witness.nowMs()
    for (const cloud of this.#witness.clouds.values()) {
      for (const each of cloud.instances()) {
        const isCounted = each.tag.project === tag.project && each.tag.owner === tag.owner && each.endsMs > nowMs
        if (!isCounted) continue
        gpus += each.gpus
        usdPerHour += Math.min(each.usdPerHour, each.usdPerHourMax)
      }
    }
    if (gpus > gpusMax) this.#break('I5', `${tag.project} has ${gpus} GPUs of ${gpusMax}`)
    if (usdPerHour > usdPerHourMax + 1e-6) this.#break('I5', `${tag.project} spends ${usdPerHour} an hour`)
  }

  #checkBounds(instance: CloudInstance, { order, reservedMs }: Placement, intentMs: number): void {
    const workload = this.mirror.workloads.get(`${order.tag.project}/${order.tag.workload}`)
    const ceiling = this.#witness.ceilingOf(workload?.manifest.policy)
    if (workload?.uid === order.tag.uid && order.usdPerHourMax > ceiling) {
      this.#break('I11', `${instance.id} was ordered for up to ${order.usdPerHourMax}, the policy allows ${ceiling}`)
    }
    const closedMs = this.#witness.closedSinceMs(order.place.provider)
    // A commit may take its time: what counts is when it was decided, unless somebody sets clocks.
    if (closedMs !== undefined && Math.min(intentMs, reservedMs) > closedMs + 1000) {
      this.#break('I11', `${instance.id} was ordered from ${order.place.provider}, which takes nothing new`)
    }
  }

  #stopped(before: CloudInstance): void {
    const { tag, id } = before
    if (tag.owner !== this.#witness.owner) return this.#break('I2', `${id} of another owner was stopped`)
    const nowMs = this.#witness.nowMs()
    if (before.upMs > nowMs) return
    const attempt = this.mirror.attempts.get(tag.attempt)
    if (attempt === undefined || attempt.goneMs !== undefined) return
    const lostMs = this.#lost.get(gangKey(before))?.endsMs ?? -1
    const sickMs = this.#sickMs.get(id) ?? -1
    const drainedMs = this.#witness.drainedMs(attempt.placement.order.place.provider) ?? -1
    const isGangWhole = (): boolean => this.#isGangWhole(attempt.placement, nowMs)
    const isRelieved = (placement: Placement): boolean => this.#isRelieved(placement)
    const cause = causeOf(before, attempt, { mirror: this.mirror, lostMs, sickMs, drainedMs, isGangWhole, isRelieved })
    if (cause === undefined) this.#break('I8', `${id} (${tag.workload} ${tag.slot}) was stopped while it was well`)
  }

  #isGangWhole({ order: { tag } }: Placement, nowMs: number): boolean {
    const workload = this.mirror.workloads.get(`${tag.project}/${tag.workload}`)
    const nodes = workload?.manifest.nodes ?? 1
    const group = groupOf(tag.slot)
    const ranks = nodes === 1 ? [group] : Array.from({ length: nodes }, (_, rank) => `${group}.${rank}`)
    const isSound = ({ upMs, noticeMs, usdPerHour, usdPerHourMax }: CloudInstance): boolean =>
      upMs <= nowMs && noticeMs === undefined && usdPerHour <= usdPerHourMax
    return ranks.every((slot) => this.billed(tag.uid, slot).some(isSound))
  }

  /** Whether it left for another attempt of its slot, which is there. */
  #isRelieved({ why, order: { tag } }: Placement): boolean {
    if (why !== 'outage' && why !== 'surplus') return false
    if (this.mirror.spare.has(tag.attempt)) return true
    const others = seatsOf(tag.slot).filter((seat) => seat !== tag.slot)
    return others.some((seat) => (this.#bySlot.get(`${tag.uid}/${seat}`)?.size ?? 0) > 0)
  }

  #checkFence({ writes }: Commit, process: Process): void {
    if (this.#leader === process || writes.length === 0) return
    this.#break('fencing', `${process.name} wrote ${writes[0]?.kind} ${writes[0]?.key} without leading`)
  }

  #checkPlacement(key: string, after: Placement | undefined): void {
    const before = this.mirror.placements.get(key)
    const beforeTag = before?.order.tag
    const isOther = before !== undefined && after?.order.tag.attempt !== beforeTag?.attempt
    const isLetGo = before !== undefined && isBilled(before) && (isOther || after?.phase === 'gone')
    // An intent that nobody was called about, or was told to come later, may be dropped in one go; if anything comes of it
    // after all, that is found when it is created.
    if (isOther && isBilled(before) && before.phase !== 'reserved')
      this.#break('I5', `${key}: ${before.phase} was overwritten`)
    const alive = isLetGo ? this.billed(before.order.tag.uid, before.order.tag.slot) : []
    const own = alive.find(({ tag }) => tag.attempt === beforeTag?.attempt)
    if (own !== undefined) this.#break('I5', `${key}: let go of ${own.id} while it is billed`)
    if (after !== undefined) this.#checkMoves(key, after)
  }

  /** At most one replica of a workload is on the move because of a drain. */
  #checkMoves(key: string, after: Placement): void {
    const workload = key.slice(0, key.lastIndexOf('/'))
    const group = groupOf(after.order.tag.slot)
    const moving = this.#moving.get(workload) ?? new Set<string>()
    this.#moving.set(workload, moving)
    if (after.phase === 'running') moving.delete(group)
    if (after.phase !== 'stopping' || after.why !== 'drained' || moving.has(group)) return
    const owner = this.mirror.ownerOf(after)
    if (owner !== undefined && !owner.manifest.migration.on.includes('drain')) {
      this.#break('I6', `${key} was moved against its policy`)
    }
    // What has its successor takes nothing away, nor does a successor whose predecessor is back.
    const hasOther = seatsOf(after.order.tag.slot).some((seat) => {
      const other = this.mirror.placements.get(`${workload}/${seat}`)
      if (other === undefined || other.order.tag.attempt === after.order.tag.attempt || !isLiving(other)) return false
      return other.phase === 'running' || other.order.tag.epoch > after.order.tag.epoch
    })
    if (hasOther) return
    const others = [...moving].filter((other) => this.#isMoving(workload, other))
    if (others.length > 0) this.#break('I6', `${key} is moved while ${others[0]} is`)
    moving.add(group)
  }

  #isMoving(workload: string, group: string): boolean {
    const owner = this.mirror.workloads.get(workload)
    if (owner === undefined || owner.want !== 'running' || this.mirror.statuses.get(workload)?.end) return false
    const slots = owner.manifest.nodes > 1 ? [`${group}.0`] : seatsOf(group)
    return slots.some((slot) => {
      const placement = this.mirror.placements.get(`${workload}/${slot}`)
      const isDrained = placement?.phase === 'stopping' && placement.why === 'drained'
      // What is being stopped by a provider that does not answer keeps nothing waiting.
      return isDrained && this.#witness.readySinceMs(placement.order.place.provider) !== undefined
    })
  }

  /** Nobody wants it, or it costs too much: it must go soon. */
  #checkOwned(instance: CloudInstance, readyMs: number | undefined): void {
    const nowMs = this.#witness.nowMs()
    const { id, tag, shownMs } = instance
    const row = this.mirror.attempts.get(tag.attempt)
    const placement = row === undefined ? undefined : this.mirror.placements.get(row.key)
    const isOwned = placement?.order.tag.attempt === tag.attempt && placement.phase !== 'gone'
    const isDear = instance.usdPerHour > instance.usdPerHourMax
    if (isOwned && placement.phase !== 'stopping' && !isDear) {
      this.#unownedMs.delete(id)
      return
    }
    const sinceMs = this.#unownedMs.get(id) ?? nowMs
    this.#unownedMs.set(id, sinceMs)
    if (readyMs === undefined || instance.unreadable !== undefined) return
    if (nowMs <= Math.max(sinceMs, readyMs, shownMs, instance.readableMs ?? 0) + ORPHAN_MS) return
    this.#unownedMs.set(id, Infinity)
    const what = isOwned ? (isDear ? 'above its ceiling' : 'to be stopped') : 'an orphan'
    this.#break(isDear && isOwned ? 'I11' : 'I2', `${id} (${tag.workload} ${tag.slot}), ${what}, is still billed`)
  }

  /** What is dead must not be taken for alive for long. */
  #checkNoticed(key: string, { phase, order }: Placement): void {
    if (phase !== 'running' && phase !== 'starting') return
    const instance = this.#startedBy(order.tag.attempt)
    const readyMs = this.#witness.readySinceMs(order.place.provider)
    if (instance === undefined || readyMs === undefined || instance.unreadable !== undefined) return
    const sinceMs = Math.max(instance.endsMs + instance.lingerMs, readyMs, instance.readableMs ?? 0)
    if (this.#witness.nowMs() > sinceMs + ORPHAN_MS)
      this.#break('I3', `${key}: ${instance.id} is dead and called ${phase}`)
  }

  #checkGangs(): void {
    const nowMs = this.#witness.nowMs()
    for (const [key, { uid, manifest }] of this.mirror.workloads) {
      if (manifest.nodes === 1) continue
      const ranks = Array.from({ length: manifest.nodes }, (_, rank) => this.billed(uid, `0.${rank}`))
      const there = ranks.filter((found) => found.length > 0).length
      this.#checkRemains(key, ranks.flat())
      const providers = new Set(ranks.flat().map(({ id }) => this.#home.get(id)?.spec.name ?? ''))
      const isReady = [...providers].every((name) => this.#witness.readySinceMs(name) !== undefined)
      const isHalf = there > 0 && there < manifest.nodes && isReady
      const sinceMs = isHalf ? (this.#halfMs.get(key) ?? nowMs) : undefined
      if (sinceMs === undefined) this.#halfMs.delete(key)
      else this.#halfMs.set(key, sinceMs)
      if (sinceMs === undefined || nowMs <= sinceMs + HALF_GANG_MS) continue
      this.#halfMs.set(key, Infinity)
      this.#break('I4', `${key}: ${there} of ${manifest.nodes} machines for too long`)
    }
  }

  /** What is left of a gang that has lost a machine lets go. */
  #checkRemains(key: string, left: readonly CloudInstance[]): void {
    const nowMs = this.#witness.nowMs()
    for (const instance of left) {
      const lost = this.#lost.get(gangKey(instance)) ?? { knownMs: -1, endsMs: -1 }
      const readyMs = this.#witness.readySinceMs(this.#home.get(instance.id)?.spec.name ?? '')
      const isOlder = instance.createdMs < lost.knownMs && lost.endsMs < nowMs && readyMs !== undefined
      if (!isOlder) continue
      // What its provider cannot read it cannot end; and what cannot be read is not known to be lost.
      const mates = [...(this.#home.get(instance.id)?.instances() ?? [])].filter(
        (each) => gangKey(each) === gangKey(instance),
      )
      if (mates.some(({ unreadable }) => unreadable !== undefined)) continue
      const readableMs = Math.max(...mates.map((mate) => mate.readableMs ?? 0))
      if (nowMs < Math.max(lost.endsMs, readyMs, readableMs) + ORPHAN_MS + MINUTE_MS) continue
      this.#lost.delete(gangKey(instance))
      this.#break('I4', `${key}: ${instance.id} goes on without the rest of its gang`)
    }
  }

  #break(invariant: string, detail: string): void {
    if (this.violations.length >= VIOLATIONS_MAX) return
    this.violations.push({ invariant, at: this.#witness.nowMs() - this.#witness.startMs, detail })
  }
}

/** Workload uid of instances that no control plane of this world started. */
export const LEFTOVER = 'leftover'

function gangKey({ tag }: CloudInstance): string {
  return `${tag.uid}/${groupOf(tag.slot)}`
}
